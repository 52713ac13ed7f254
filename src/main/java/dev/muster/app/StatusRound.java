package dev.muster.app;

import dev.muster.engine.Views;
import dev.muster.kube.StatusWriter;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Once a second, brings the status of queues and node classes up to date; in mode {@code cluster}, and while leading. */
@ApplicationScoped
public class StatusRound {
    private final KubeWiring kube;
    private final Views views;
    private final Periodic round = Periodic.logged("a round of statuses", this::write);
    private volatile @Nullable StatusWriter writer;

    public StatusRound(KubeWiring kube, Views views) {
        this.kube = kube;
        this.views = views;
    }

    @Scheduled(every = "1s", delay = 1, delayUnit = TimeUnit.SECONDS, concurrentExecution = ConcurrentExecution.SKIP)
    void round() {
        round.run();
    }

    private void write() {
        kube.cluster().filter(cluster -> cluster.isLeading()).ifPresent(cluster -> {
            StatusWriter writes = writer;
            if (writes == null) {
                writes = cluster.status();
                writer = writes;
            }
            writes.write(views);
        });
    }
}
