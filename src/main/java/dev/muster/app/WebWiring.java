package dev.muster.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.engine.Views;
import dev.muster.metrics.EngineMeters;
import dev.muster.web.ClusterInfo;
import dev.muster.web.LiveFeed;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Locale;

/** Makes what the page and the meters are read from, and refreshes it. */
@ApplicationScoped
public class WebWiring {
    private final LiveFeed feed;
    private final EngineMeters meters;
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
        this.meters = new EngineMeters(views, registry);
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

    /** Twice a second, and only while somebody looks at the page. */
    @Scheduled(every = "0.5s", concurrentExecution = ConcurrentExecution.SKIP)
    void refreshPage() {
        feed.refresh();
    }

    @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
    void refreshMeters() {
        meters.refresh();
    }
}
