package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.core.model.Amounts;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodRequestsTest {
    private static final String DEFAULT_CPU_1 = "{spec: {limits: [{type: Container, defaultRequest: {cpu: 1}}]}}";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void requestsAreCountedAsTheSchedulerCountsThem(
            String sentence, String pod, List<String> limitRanges, Map<String, Long> expected) {
        Amounts counted = PodRequests.of(spec(pod), ranges(limitRanges));

        TreeMap<String, Long> withSlot = new TreeMap<>(expected);
        withSlot.put("pods", 1L);
        assertThat(counted).isEqualTo(new Amounts(withSlot));
    }

    static Stream<Arguments> requestsAreCountedAsTheSchedulerCountsThem() {
        return Stream.of(
                row("a pod that asks nothing takes a pod slot", "containers: [{}]", Map.of()),
                row(
                        "containers add up",
                        "containers: [{resources: {requests: {cpu: 500m}}}, {resources: {requests: {cpu: 2}}}]",
                        Map.of("cpu", 2500L)),
                row(
                        "a limit is the request where none is stated",
                        "containers: [{resources: {limits: {nvidia.com/gpu: 8, cpu: 2}, requests: {cpu: 1}}}]",
                        Map.of("nvidia.com/gpu", 8L, "cpu", 1000L)),
                row(
                        "an init container counts only where it needs more than all containers",
                        "initContainers: [{resources: {requests: {cpu: 4, memory: 1Gi}}}]\n"
                                + "containers: [{resources: {requests: {cpu: 3, memory: 2Gi}}}]",
                        Map.of("cpu", 4000L, "memory", 2L << 30)),
                row(
                        "the largest init container counts, not their sum",
                        "initContainers: [{resources: {requests: {cpu: 4}}}, {resources: {requests: {cpu: 5}}}]\n"
                                + "containers: [{resources: {requests: {cpu: 1}}}]",
                        Map.of("cpu", 5000L)),
                row(
                        "a sidecar adds to the containers",
                        "initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 1}}}]\n"
                                + "containers: [{resources: {requests: {cpu: 3}}}]",
                        Map.of("cpu", 4000L)),
                row(
                        "an init container runs beside the sidecars before it",
                        "initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 1}}},"
                                + " {resources: {requests: {cpu: 6}}}]\n"
                                + "containers: [{resources: {requests: {cpu: 3}}}]",
                        Map.of("cpu", 7000L)),
                row(
                        "an init container does not run beside the sidecars after it",
                        "initContainers: [{resources: {requests: {cpu: 6}}},"
                                + " {restartPolicy: Always, resources: {requests: {cpu: 1}}}]\n"
                                + "containers: [{resources: {requests: {cpu: 3}}}]",
                        Map.of("cpu", 6000L)),
                row(
                        "overhead comes on top",
                        "overhead: {cpu: 250m, memory: 120Mi}\ncontainers: [{resources: {requests: {cpu: 1}}}]",
                        Map.of("cpu", 1250L, "memory", 120L << 20)),
                row(
                        "requests of the whole pod replace the sum for cpu and memory only",
                        "resources: {requests: {cpu: 8}}\n"
                                + "containers: [{resources: {limits: {cpu: 2, nvidia.com/gpu: 1}}}]",
                        Map.of("cpu", 8000L, "nvidia.com/gpu", 1L)),
                row(
                        "a limit of the whole pod is its request only where no container states one",
                        "resources: {limits: {cpu: 8, memory: 4Gi}}\ncontainers: [{resources: {requests: {cpu: 2}}}]",
                        Map.of("cpu", 2000L, "memory", 4L << 30)),
                row(
                        "parts are rounded up",
                        "containers: [{resources: {requests: {cpu: 100u, memory: 1.5, example.com/x: 1m}}}]",
                        Map.of("cpu", 1L, "memory", 2L, "example.com/x", 1L)),
                arguments(
                        "c30: limits only in a namespace with a default of 1 is charged its limit of 3",
                        "containers: [{resources: {limits: {cpu: 3}}}]",
                        List.of(DEFAULT_CPU_1),
                        Map.of("cpu", 3000L)),
                arguments(
                        "c30: a GPU given only as a limit is charged beside the default for cpu",
                        "containers: [{resources: {limits: {nvidia.com/gpu: 8}}}]",
                        List.of(DEFAULT_CPU_1),
                        Map.of("cpu", 1000L, "nvidia.com/gpu", 8L)),
                arguments(
                        "the first LimitRange with a default wins",
                        "containers: [{}, {resources: {requests: {cpu: 2}}}]",
                        List.of(DEFAULT_CPU_1, "{spec: {limits: [{type: Container, defaultRequest: {cpu: 9}}]}}"),
                        Map.of("cpu", 3000L)),
                arguments(
                        "a default limit is the default request where that is absent, and a maximum is a default limit",
                        "containers: [{}]",
                        List.of("{spec: {limits: [{type: Container, default: {cpu: 2}, max: {memory: 1Gi},"
                                + " min: {cpu: 1, example.com/x: 5}}]}}"),
                        Map.of("cpu", 2000L, "memory", 1L << 30, "example.com/x", 5L)),
                arguments(
                        "limits for pods give no default",
                        "containers: [{resources: {limits: {cpu: 3}}}]",
                        List.of("{spec: {limits: [{type: Pod, max: {cpu: 9, memory: 1Gi}}]}}"),
                        Map.of("cpu", 3000L)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void c04_whatCannotBeCountedIsSaidAndNeverWraps(String quantity, long amount, String problem) {
        Problems problems = new Problems();

        PodSpec pod = spec("containers: [{resources: {requests: {" + quantity + "}}}]");
        Amounts counted = PodRequests.read(pod, List.of(), Map.of(), "spec", problems);

        String resource = quantity.substring(0, quantity.indexOf(':'));
        assertThat(counted.get(resource)).as("amount").isEqualTo(amount);
        assertThat(problems.all())
                .containsExactly(
                        problem.isEmpty()
                                ? new String[0]
                                : new String[] {
                                    "spec.containers[0].resources [" + resource + "] is " + problem
                                            + ". Maybe a unit is wrong"
                                });
    }

    static Stream<Arguments> c04_whatCannotBeCountedIsSaidAndNeverWraps() {
        String more = ": that is more than can be counted, which ends at 10^15 (for cpu 10^12 cores)";
        return Stream.of(
                arguments("cpu: 1E", Amounts.LARGEST, "'1E'" + more),
                arguments("cpu: '9223372036854775807'", Amounts.LARGEST, "'9223372036854775807'" + more),
                arguments("cpu: '9223372036854775'", Amounts.LARGEST, "'9223372036854775'" + more),
                arguments("memory: '9223372036854775807'", Amounts.LARGEST, "'9223372036854775807'" + more),
                arguments("memory: 1P", 1_000_000_000_000_000L, ""),
                arguments("memory: 1Pi", 1L << 50, "'1Pi'" + more),
                arguments("memory: 8Ei", Amounts.LARGEST, "'8Ei'" + more),
                arguments("memory: '1e400'", Amounts.LARGEST, "'1e400'" + more),
                arguments("memory: '1e9999999'", Amounts.LARGEST, "'1e9999999'" + more),
                arguments("memory: '1e-400'", 1L, ""),
                arguments("memory: 12e6", 12_000_000L, ""),
                arguments("cpu: '-1'", 0L, "'-1': that is negative"),
                arguments("cpu: lots", Amounts.LARGEST, "'lots': that is no quantity"),
                arguments("cpu: 1KB", Amounts.LARGEST, "'1KB': that is no quantity"),
                arguments("cpu: '1e'", Amounts.LARGEST, "'1e': that is no quantity"));
    }

    private static Arguments row(String sentence, String pod, Map<String, Long> expected) {
        return arguments(sentence, pod, List.of(), expected);
    }

    private static PodSpec spec(String yaml) {
        return Serialization.unmarshal("---\n" + yaml, PodSpec.class);
    }

    private static List<LimitRange> ranges(List<String> yaml) {
        return yaml.stream()
                .map(one -> Serialization.unmarshal("---\n" + one, LimitRange.class))
                .toList();
    }
}
