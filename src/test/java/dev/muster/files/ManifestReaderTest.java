package dev.muster.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ManifestReaderTest {
    private final ManifestReader reader = new ManifestReader();

    @Test
    void readsEveryDocumentOfAFileInOrder() {
        Reading reading = reader.read("a.yaml", """
                # a comment
                apiVersion: v1
                kind: Namespace
                metadata: {name: vision}
                ---
                ---
                apiVersion: muster.dev/v1alpha1
                kind: TeamQueue
                metadata: {name: root}
                spec: {owner: platform, quotas: [{nodeClass: h100, resource: nvidia.com/gpu, nominal: 16}]}
                """);

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.manifests())
                .extracting(Manifest::kind, Manifest::name, Manifest::line)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("Namespace", "vision", 2),
                        org.assertj.core.groups.Tuple.tuple("TeamQueue", "root", 7));
    }

    @Test
    void reportsAllProblemsAtOnceWithLineFieldValueAndCure() {
        Reading reading = reader.read("bad.yaml", """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: train
                  labels: {muster.dev/interruptible: true}
                spec:
                  paralelism: 2
                  completions: many
                  template:
                    spec:
                      containers:
                      - name: main
                        image: busybox
                        ressources: {}
                ---
                apiVersion: muster.dev/v1alpha1
                kind: TeamQueues
                metadata: {name: x}
                ---
                kind: Job
                """);

        assertThat(reading.problems())
                .extracting(Problem::toString)
                .satisfiesExactly(
                        one -> assertThat(one)
                                .isEqualTo(
                                        "bad.yaml:5: metadata.labels.muster.dev/interruptible: must be text, not true."
                                                + " Maybe write it in quotes"),
                        one -> assertThat(one)
                                .isEqualTo("bad.yaml:7: spec.paralelism: unknown field. Maybe parallelism"),
                        one -> assertThat(one).startsWith("bad.yaml:8: spec.completions: cannot be read: \"many\""),
                        one -> assertThat(one)
                                .isEqualTo("bad.yaml:14: spec.template.spec.containers[0].ressources: unknown field."
                                        + " Maybe resources"),
                        one -> assertThat(one)
                                .isEqualTo(
                                        "bad.yaml:17: kind: no kind that is read here: muster.dev/v1alpha1 TeamQueues."
                                                + " Maybe muster.dev/v1alpha1/TeamQueue"),
                        one -> assertThat(one).isEqualTo("bad.yaml:20: apiVersion: is missing"),
                        one -> assertThat(one).isEqualTo("bad.yaml:20: metadata.name: is missing"));
    }

    @Test
    void aKeyWrittenTwiceIsAProblemWithItsLine() {
        Reading reading = reader.read("twice.yaml", "apiVersion: v1\nkind: Node\nkind: Job\n");

        assertThat(reading.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(3);
            assertThat(problem.what()).contains("kind");
        });
    }
}
