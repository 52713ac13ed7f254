package dev.muster.app;

import dev.muster.engine.Cluster;
import dev.muster.engine.Views;
import dev.muster.files.FileTree;
import dev.muster.files.ManifestReader;
import dev.muster.files.Reading;
import dev.muster.local.Applied;
import dev.muster.local.DemoTrace;
import dev.muster.local.LocalCluster;
import dev.muster.local.VirtualClock;
import dev.muster.local.rules.LocalRules;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Provider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Makes the cluster in memory, fills it, and lets its time go by. */
@ApplicationScoped
public class LocalWiring implements ClusterSource {
    private static final Logger LOG = Logger.getLogger(LocalWiring.class);
    private static final int TICK_MILLIS = 50;
    private static final String TRACE = "demo/philly-20171113-7d.csv";

    private final LocalConfig config;
    private final long begin = System.currentTimeMillis();
    private final LocalDoor door;
    /** Null until the engine takes part: time stands still while everything starts. */
    private volatile @Nullable VirtualClock clock;

    private @Nullable LocalCluster cluster;
    private @Nullable ScheduledExecutorService ticker;

    public LocalWiring(LocalConfig config, Provider<Views> views) {
        this.config = config;
        this.door = new LocalDoor(views);
    }

    @Override
    public MusterConfig.Mode mode() {
        return MusterConfig.Mode.LOCAL;
    }

    @Override
    public InstantSource clock() {
        return () -> Instant.ofEpochMilli(now());
    }

    @Override
    public Cluster open() {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "muster-local");
            made.setDaemon(true);
            return made;
        });
        LocalRules rules = LocalRules.read(
                LocalFiles.bundled("crds", ".yaml").values(),
                LocalFiles.bundled("webhook", ".yaml").values());
        LocalCluster opened = new LocalCluster(door, rules, this::now, thread);
        door.over(opened);
        fill(opened);
        cluster = opened;
        ticker = thread;
        DemoTrace trace = trace();
        Periodic tick = Periodic.logged("a step of the cluster in memory", () -> tick(opened, trace));
        thread.scheduleWithFixedDelay(tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return opened;
    }

    /** The cluster, when it is this one that is driven. */
    public Optional<LocalCluster> cluster() {
        return Optional.ofNullable(cluster);
    }

    private long now() {
        VirtualClock running = clock;
        return running == null ? begin : running.now();
    }

    /** Virtual seconds in one real second. */
    public double speed() {
        return config.speed();
    }

    void close(@Observes ShutdownEvent ignored) {
        ScheduledExecutorService running = ticker;
        if (running != null) {
            running.shutdownNow();
        }
    }

    private void fill(LocalCluster into) {
        Map<String, String> texts = config.queues().map(LocalWiring::folder).orElseGet(() -> {
            Map<String, String> demo = LocalFiles.bundled("queues", ".yaml");
            demo.keySet().removeIf(file -> file.startsWith("examples/"));
            return demo;
        });
        Reading reading = new ManifestReader().readAll(texts);
        reading.problems().forEach(problem -> LOG.error(problem));
        Applied applied = into.apply(reading, false);
        if (applied.refused()) {
            applied.lines().stream().filter(line -> !line.endsWith(" created")).forEach(line -> LOG.error(line));
        }
        LOG.infof(
                "the cluster in memory holds %d objects; an hour of it takes %.1f s",
                reading.manifests().size(), 3600 / config.speed());
    }

    private DemoTrace trace() {
        boolean played = config.trace() && config.queues().isEmpty();
        String csv = played ? LocalFiles.bundled("queues", ".csv").getOrDefault(TRACE, "") : "";
        return DemoTrace.read(csv, config.traceFrom().toMillis(), begin);
    }

    private void tick(LocalCluster on, DemoTrace trace) {
        if (!on.isSynced()) {
            return;
        }
        if (clock == null) {
            clock = new VirtualClock(begin, config.speed(), System::nanoTime);
        }
        on.apply(trace.until(now()), false);
        on.tick();
    }

    private static Map<String, String> folder(Path folder) {
        try {
            return FileTree.texts(folder, ".yaml");
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "muster.local.queues names " + folder + ", which cannot be read. Maybe use an absolute path", e);
        }
    }
}
