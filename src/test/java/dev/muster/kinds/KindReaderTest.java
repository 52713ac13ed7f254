package dev.muster.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.files.Problem;
import dev.muster.kinds.PodSetRule.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Descriptor files as operators write them: what is read, and everything that is said of a wrong one. */
class KindReaderTest {
    private static final String GOOD = """
            group: example.com
            version: v1
            kind: Crunch
            plural: crunches
            makers: ["system:serviceaccount:crunch:operator"]
            suspend: spec.paused
            podsets:
            - {name: main, template: spec.template, count: [{field: spec.size}], index: [crunch/index]}
            status: {suspended: {condition: Paused}, succeeded: {field: status.phase, values: [Done]}}
            sample: {spec: {template: {spec: {containers: [{name: a, image: b}]}}}}
            """;

    @Test
    void aDescriptorIsReadWhole() {
        KindReader.Read read = KindReader.read(Map.of("crunch.yaml", GOOD));

        assertThat(read.problems()).isEmpty();
        GangKind kind = read.kinds().gangs().get(0);
        assertThat(kind.name()).isEqualTo(new KindName("example.com", "v1", "Crunch", "crunches"));
        assertThat(kind.suspend()).isEqualTo(FieldPath.parse("spec.paused"));
        assertThat(kind.podsets())
                .containsExactly(new PodSetRule(
                        "main",
                        null,
                        FieldPath.parse("spec.template"),
                        List.of(new Count(FieldPath.parse("spec.size"), 1, null, null)),
                        Map.of(),
                        List.of("crunch/index"),
                        null));
        assertThat(kind.suspended()).isEqualTo(new Signal.Condition("Paused"));
        assertThat(kind.succeeded()).isEqualTo(new Signal.Field(FieldPath.parse("status.phase"), List.of("Done")));
        assertThat(read.kinds().makers())
                .containsExactly("system:serviceaccount:crunch:operator", Kinds.JOB_CONTROLLER);
    }

    @Test
    void allThatIsWrongIsSaidAtOnce_WithItsLineAndACure() {
        KindReader.Read read = KindReader.read(Map.of("crunch.yaml", """
                group: Example
                version: one
                kind: Crunch
                plural: crunches
                suspended: spec.paused
                podsets:
                - {each: {map: spec.sets, list: spec.other}, template: spec..template, index: [a, b]}
                status: {succeeded: {condition: Done, field: status.phase}}
                refuse:
                - {field: spec.x, because: it is wrong}
                """));

        assertThat(read.kinds().all()).isEmpty();
        assertThat(read.problems())
                .extracting(Problem::toString)
                .containsExactlyInAnyOrder(
                        "crunch.yaml:5: suspended: unknown field. Maybe suspend",
                        "crunch.yaml:7: podsets[0].each: needs either map or list. Maybe write {map: spec.replicaSpecs}",
                        "crunch.yaml:7: podsets[0].index: has 2 labels for 1 counts: one for each",
                        "crunch.yaml:7: podsets[0].template: is no path: \"spec..template\". Maybe a path is names with dots"
                                + " between, such as spec.suspend",
                        "crunch.yaml:8: status.suspended: is missing. Maybe write {condition: Suspended}",
                        "crunch.yaml:1: sample: is missing: a dry run creates it. Maybe write an object with a spec",
                        "crunch.yaml:1: group: cannot be read: \"Example\". Maybe write it like kubeflow.org",
                        "crunch.yaml:2: version: cannot be read: \"one\". Maybe write it like v1",
                        "crunch.yaml:1: makers: is missing: who makes the pods. Maybe write"
                                + " [system:serviceaccount:NAMESPACE:NAME] of the controller",
                        "crunch.yaml:1: suspend: is missing. Maybe write it like spec.suspend",
                        "crunch.yaml:8: status.succeeded: needs either condition or field. Maybe write {condition: Suspended}",
                        "crunch.yaml:10: refuse[0]: needs either values or unless. Maybe write values: [\"true\"]");
    }

    @Test
    void aKindIsDescribedOnce_AndTheBatchJobNotAtAll() {
        String job =
                GOOD.replace("example.com", "batch").replace("Crunch", "Job").replace("crunches", "jobs");

        assertThat(KindReader.read(Map.of("a.yaml", GOOD, "b.yaml", GOOD, "c.yaml", job))
                        .problems())
                .extracting(Problem::toString)
                .containsExactly(
                        "b.yaml:1: the kind crunches.example.com.v1 is described twice. Maybe remove one of them",
                        "c.yaml:1: the batch Job is built in. Maybe remove it");
    }

    @Test
    void anOperatorsFileTakesThePlaceOfAShippedKind() {
        String moved = ShippedKinds.text("kinds/pytorchjob.yaml").replace("kubeflow:training", "ml-platform:training");

        Kinds kinds =
                KindReader.read(ShippedKinds.all(), Map.of("ours.yaml", moved)).kinds();

        assertThat(kinds.all()).hasSameSizeAs(ShippedKinds.all().all());
        assertThat(kinds.makers())
                .contains(
                        "system:serviceaccount:ml-platform:training-operator",
                        "system:serviceaccount:kubeflow:training-operator");
    }

    @Test
    void everyShippedFileIsRead() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/kinds"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(ShippedKinds.FILES);
        }
        assertThat(ShippedKinds.all().all()).hasSameSizeAs(ShippedKinds.FILES);
    }
}
