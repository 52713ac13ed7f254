package dev.muster.app;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
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

    /** As kubectl 1.32 says of an ordinary job and server 1.36. */
    @Test
    void anUpdateIsAnsweredAsKubectlDoes() {
        String plain = """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: plain, labels: {a: "1"}}
                spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: m, image: x}]}}}
                """;
        assertThat(said(plain, false)).isEqualTo("job.batch/plain created");
        assertThat(said(plain, false)).isEqualTo("job.batch/plain unchanged");
        assertThat(said(plain, true)).isEqualTo("job.batch/plain unchanged (server dry run)");
        String labelled = plain.replace("\"1\"", "\"2\"");
        assertThat(said(labelled, true)).isEqualTo("job.batch/plain configured (server dry run)");
        assertThat(said(labelled, false)).isEqualTo("job.batch/plain configured");
        assertThat(said(
                        labelled.replace(
                                "metadata: {name: plain, labels: {a: \"2\"}}",
                                "metadata: {labels: {a: \"2\"}, name: plain}"),
                        false))
                .as("another order of the fields is no change")
                .isEqualTo("job.batch/plain unchanged");
        assertThat(said(labelled.replace("suspend: true, ", ""), false))
                .as("what is not written any more is a change")
                .isEqualTo("job.batch/plain configured");
        assertThat(said(labelled.replace("image: x", "image: other"), false))
                .startsWith("The Job \"plain\" is invalid: spec.template")
                .endsWith("field is immutable");
        assertThat(said(labelled.replace("suspend: true", "nonsense: 1"), false))
                .startsWith("The request is invalid: patch: ")
                .contains("strict decoding error: unknown field \"spec.nonsense\"");
    }

    private String said(String yaml, boolean dryRun) {
        return cluster.apply(yaml, dryRun).text().strip();
    }

    private void decide() {
        while (!inbox.isEmpty()) {
            engine.apply(inbox.poll());
        }
        engine.cycle(NOW, 1000);
    }
}
