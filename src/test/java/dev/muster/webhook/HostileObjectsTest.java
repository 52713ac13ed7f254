package dev.muster.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects that a tenant may send to cheat the count or to keep the door busy: each gets an exact answer, and soon. */
class HostileObjectsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNode FACTS = yaml("""
            queues:
            - {metadata: {name: vision}, spec: {owner: leads, quotas: [{nodeClass: h100, resource: nvidia.com/gpu, nominal: 16}]}}
            classes:
            - metadata: {name: h100}
              spec: {owner: infra, selector: {gpu: h100}, taint: {key: gpu, effect: NoSchedule}}
            """);
    private final Map<String, Decision> doors = Doors.over(new GivenFacts(FACTS));

    private static JsonNode yaml(String text) {
        try {
            return new YAMLMapper().readTree(text);
        } catch (IOException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static ObjectNode job(String requests) {
        return (ObjectNode) yaml("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: train, namespace: team-a, labels: {muster.dev/queue: vision}}
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                      - {name: main, image: train, resources: {requests: {%s}}}
                """.formatted(requests));
    }

    private Verdict ask(String door, JsonNode object) {
        ObjectNode request = JSON.createObjectNode().put("uid", "r").put("operation", "CREATE");
        request.putObject("userInfo").put("username", "system:serviceaccount:kube-system:job-controller");
        request.set("object", object);
        return doors.get(door).on(request);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "not a number | nvidia.com/gpu: NaN | 'NaN'",
                "infinite | nvidia.com/gpu: Infinity | 'Infinity'",
                "an exa | nvidia.com/gpu: 1E | '1E'",
                "an exponent | nvidia.com/gpu: \"1e400\" | '1e400'",
                "negative | nvidia.com/gpu: -8 | '-8'",
                "negative milli | cpu: -1m | '-1m'",
                "digits of another script | nvidia.com/gpu: \"\u0668\" | '\u0668'",
                "a number of 5,000 digits | nvidia.com/gpu: LONG | 9999",
                "more than counts | nvidia.com/gpu: \"9223372036854775808\" | '9223372036854775808'",
            })
    void whatCannotBeCountedIsRefusedWithItsValue(String sentence, String requests, String named) {
        Verdict verdict = ask(Doors.VALIDATE_JOBS, job(requests.replace("LONG", "\"" + "9".repeat(5_000) + "\"")));

        assertThat(verdict.allowed()).isFalse();
        assertThat(verdict.message()).contains(named).hasSizeLessThan(1_000);
    }

    @Test
    @Timeout(10)
    void tenThousandContainersAreAnsweredWithinTheWebhooksSecond() {
        ObjectNode job = job("nvidia.com/gpu: 0");
        ArrayNode containers = (ArrayNode) job.at("/spec/template/spec/containers");
        IntStream.range(0, 10_000)
                .forEach(i -> containers
                        .addObject()
                        .put("name", "c" + i)
                        .put("image", "i")
                        .putObject("resources")
                        .putObject("requests")
                        .put("nvidia.com/gpu", "1")
                        .put("cpu", "1m"));
        ((ObjectNode) job.at("/spec/template/spec")).set("initContainers", containers.deepCopy());
        doors.keySet().forEach(door -> ask(door, job)); // once, to load classes

        for (String door : doors.keySet()) {
            long begun = System.nanoTime();
            Verdict verdict = ask(door, job);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).as(door).isLessThan(Duration.ofMillis(900));
            assertThat(verdict.message().length()).as(door).isLessThan(10_000);
        }
    }

    @Test
    void namesAtTheirLongest_InAnyScript_AreAnswered() {
        ObjectNode job = job("nvidia.com/gpu: 1");
        ObjectNode meta = (ObjectNode) job.path("metadata");
        meta.put("name", "n".repeat(253)).put("namespace", "s".repeat(253));
        ((ObjectNode) meta.path("labels")).put("muster.dev/queue", "\u202e\ud83d\ude80\u0000\ud800".repeat(60));
        meta.putObject("annotations").put("muster.dev/requires", "\u2066cuda>=".repeat(5_000));

        Verdict verdict = ask(Doors.VALIDATE_JOBS, job);

        assertThat(verdict.allowed()).isFalse();
        assertThat(verdict.message().codePoints())
                .as("no control, no writing direction, no half of a character")
                .noneMatch(c -> Character.isISOControl(c)
                        || Character.getType(c) == Character.FORMAT
                        || Character.getType(c) == Character.SURROGATE);
        assertThat(verdict.message()).hasSizeLessThan(20_000);
    }

    @Test
    void ofDuplicateKeysTheLastCounts_AsForTheApiServer() throws IOException {
        String text = JSON.writeValueAsString(job("nvidia.com/gpu: 1"))
                .replace("\"nvidia.com/gpu\":1", "\"nvidia.com/gpu\":1,\"nvidia.com/gpu\":-1");

        assertThat(ask(Doors.VALIDATE_JOBS, JSON.readTree(text)).message()).contains("'-1'");
    }

    @Test
    void fiveThousandProblemsMakeNoAnswerThatNobodyReads() {
        ObjectNode job = job("nvidia.com/gpu: 1");
        ObjectNode annotations = ((ObjectNode) job.path("metadata")).putObject("annotations");
        IntStream.range(0, 5_000).forEach(i -> annotations.put("kueue.x-k8s.io/" + i, "x".repeat(200)));

        Verdict verdict = ask(Doors.VALIDATE_JOBS, job);

        assertThat(verdict.allowed()).isFalse();
        assertThat(verdict.message()).hasSizeLessThan(20_000).endsWith("; and 4950 more problems");
    }

    @Test
    void nestingAsDeepAsJsonMayBeIsNoError() {
        ObjectNode deep = job("nvidia.com/gpu: 1");
        ObjectNode at = ((ObjectNode) deep.at("/spec/template/spec")).putObject("affinity");
        for (int i = 0; i < 900; i++) {
            at = at.putObject("nodeAffinity");
        }
        for (String door : doors.keySet()) {
            assertThatCode(() -> ask(door, deep)).as(door).doesNotThrowAnyException();
        }
    }
}
