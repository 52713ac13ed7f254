package dev.muster.app;

import dev.muster.engine.Engine;
import dev.muster.engine.EngineSettings;
import dev.muster.engine.Event;
import dev.muster.files.FileTree;
import dev.muster.files.ManifestReader;
import dev.muster.local.Applied;
import dev.muster.local.LocalCluster;
import dev.muster.local.rules.LocalRules;
import dev.muster.manifests.ManifestsTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The table of manifests against the cluster in memory with the demo's queues, the real door and the real engine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalManifestsTest extends ManifestsTable {
    private static final long NOW = 1_800_000_000_000L;

    private final Engine engine = new Engine(EngineSettings.DEFAULT);
    private final ArrayDeque<Event> inbox = new ArrayDeque<>();
    private LocalCluster cluster;

    @BeforeAll
    void fill() throws IOException {
        LocalDoor door = new LocalDoor(engine::views);
        LocalRules rules = LocalRules.read(
                FileTree.texts(Path.of("manifests/crds"), ".yaml").values(),
                FileTree.texts(Path.of("webhook/policies"), ".yaml").values());
        cluster = new LocalCluster(door, rules, () -> NOW, Runnable::run);
        door.over(cluster);
        Map<String, String> demo = FileTree.texts(Path.of("queues"), ".yaml");
        demo.keySet().removeIf(file -> file.startsWith("examples/"));
        Applied filled = cluster.apply(new ManifestReader().readAll(demo), false);
        if (filled.refused()) {
            throw new IllegalStateException(filled.text());
        }
        cluster.start(inbox::add);
        decide();
    }

    @Override
    protected Answer submit(String yaml) {
        Applied applied = cluster.apply(yaml, false);
        decide();
        return new Answer(!applied.refused(), applied.text());
    }

    private void decide() {
        while (!inbox.isEmpty()) {
            engine.apply(inbox.poll());
        }
        engine.cycle(NOW, 1000);
    }
}
