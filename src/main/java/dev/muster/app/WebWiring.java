package dev.muster.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.engine.Views;
import dev.muster.metrics.EngineMeters;
import dev.muster.web.ClusterInfo;
import dev.muster.web.LiveFeed;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Makes what the page and the meters are read from, and refreshes it. */
@ApplicationScoped
public class WebWiring {
    private static final int REFRESH_MILLIS = 500;

    private final ScheduledExecutorService pages = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "muster-page");
        made.setDaemon(true);
        return made;
    });
    private final LiveFeed feed;
    private final Periodic refreshOfMeters;
    private final ClusterInfo info;

    public WebWiring(
            Views views,
            InstantSource clock,
            ClusterWiring cluster,
            LocalWiring local,
            ObjectMapper json,
            MeterRegistry registry) {
        boolean inMemory = cluster.mode() == MusterConfig.Mode.LOCAL;
        String mode = cluster.mode().name().toLowerCase(Locale.ROOT);
        this.info = () -> new ClusterInfo.About(mode, clock.instant(), inMemory ? local.speed() : 1);
        this.feed = new LiveFeed(views, info, json);
        this.refreshOfMeters =
                Periodic.logged("the refresh of the metrics", new EngineMeters(views, registry)::refresh);
    }

    @Produces
    @Singleton
    LiveFeed feed() {
        return feed;
    }

    @Produces
    @Singleton
    ClusterInfo info() {
        return info;
    }

    /** The scheduler's shortest period is a second; the page is refreshed twice in that, by a thread of its own. */
    void start(@Observes StartupEvent ignored) {
        Periodic refresh = Periodic.logged("the refresh of the page", feed::refresh);
        pages.scheduleWithFixedDelay(refresh, REFRESH_MILLIS, REFRESH_MILLIS, TimeUnit.MILLISECONDS);
    }

    void stop(@Observes ShutdownEvent ignored) {
        pages.shutdownNow();
    }

    @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
    void refreshMeters() {
        refreshOfMeters.run();
    }
}
