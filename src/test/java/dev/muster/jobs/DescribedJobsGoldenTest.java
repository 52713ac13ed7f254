package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Reason;
import dev.muster.kinds.GangKind;
import dev.muster.kinds.ShippedKinds;
import dev.muster.manifests.GoldenFolders;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each folder of {@code src/test/resources/kinds-golden} is a case: {@code input.yaml} has a job and some of its pods as their
 * controller makes them, {@code expected.yaml} what it asks, where it stands, who its pods are and how it is started and
 * stopped. {@code -Dkinds.write=true} writes them anew, to be read before they are committed.
 */
class DescribedJobsGoldenTest {
    private static final JobReader.Writing AS = new JobReader.Writing("7", "l/1", 0, nodeClass -> List.of());
    private static final Path FOLDER = Path.of("src/test/resources/kinds-golden");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Surroundings SURROUNDINGS = new Surroundings() {
        @Override
        public OptionalInt priority(String priorityClassName) {
            return priorityClassName.equals("urgent") ? OptionalInt.of(1000) : OptionalInt.empty();
        }

        @Override
        public List<LimitRange> limitRanges(String namespace) {
            return List.of();
        }
    };

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void theJobIsReadAsExpected(String name) throws IOException {
        GoldenFolders.check(FOLDER.resolve(name), DescribedJobsGoldenTest::seen);
    }

    static Stream<String> theJobIsReadAsExpected() throws IOException {
        return GoldenFolders.in(FOLDER);
    }

    private static JsonNode seen(JsonNode input) throws IOException {
        JsonNode job = input.path("job");
        GangKind kind = (GangKind) ShippedKinds.all()
                .named(job.path("apiVersion").asText(), job.path("kind").asText())
                .filter(found ->
                        found.name().apiVersion().equals(job.path("apiVersion").asText()))
                .or(() -> ShippedKinds.all().all().stream()
                        .filter(found ->
                                found.name().kind().equals(job.path("kind").asText())
                                        && found.name()
                                                .apiVersion()
                                                .equals(job.path("apiVersion").asText()))
                        .findFirst())
                .orElseThrow();
        DescribedJobs reader = new DescribedJobs(kind);
        GangReading reading = reader.read(job, SURROUNDINGS);
        ObjectNode seen = JSON.createObjectNode();
        if (reading instanceof GangReading.Unreadable unreadable) {
            unreadable.problems().forEach(seen.putArray("problems")::add);
            return seen;
        }
        gang(((GangReading.Readable) reading).gang(), seen.putObject("gang"));
        status(reading.status(), seen.putObject("status"));
        input.path("pods")
                .forEach(pod -> seen.withArray("/members")
                        .add(reader.member(job, pod)
                                .map(member -> member.podset() + (member.ranked() ? " " + member.rank() : ""))
                                .orElse("none")));
        Admission admission = new Admission(
                1, 1, 0, List.of(new PodSetPlace("p", "h100", Amounts.NONE, List.of(new NodeSlots("n", 1)))));
        seen.set(
                "start",
                JSON.readTree(reader.patch(new Job(), new JobChange.Admit(admission), AS))
                        .path("spec"));
        seen.set(
                "stop",
                JSON.readTree(reader.patch(new Job(), new JobChange.Stop(Reason.PREEMPTED, "why"), AS))
                        .path("spec"));
        return seen;
    }

    private static void gang(Gang gang, ObjectNode out) {
        out.put("queue", gang.queue()).put("priority", gang.priority()).put("interruptible", gang.interruptible());
        gang.maxRuntime().ifPresent(millis -> out.put("maxRuntimeSeconds", millis / 1000));
        for (PodSet podset : gang.podsets()) {
            ObjectNode one = out.withArray("/podsets").addObject();
            one.put("name", podset.name()).put("count", podset.count()).put("ranked", podset.ranked());
            Map<String, Long> asks = podset.shape().requests().byResource();
            asks.forEach(one.withObject("/asks")::put);
            if (podset.topology() != null) {
                one.put("topology", podset.topology().toString());
            }
        }
    }

    private static void status(GangStatus status, ObjectNode out) {
        out.put("suspended", status.suspended())
                .put("resumed", status.resumed().name())
                .put("active", status.active())
                .put("end", status.end().name());
    }
}
