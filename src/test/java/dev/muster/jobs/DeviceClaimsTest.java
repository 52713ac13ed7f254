package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangReading;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** GPUs that are asked for by claims: h100 and a100 hand out class gpu, h100 alone also big, and slices count another resource. */
class DeviceClaimsTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final Map<String, Map<String, String>> CLASSES = Map.of(
            "gpu", Map.of("h100", GPU, "a100", GPU),
            "big", Map.of("h100", GPU),
            "small", Map.of("a100", GPU),
            "mixed", Map.of("h100", GPU, "slices", "nvidia.com/mig-1g.10gb"));
    private static final Map<String, String> TEMPLATES = Map.of(
            "one", "{exactly: {deviceClassName: gpu}}",
            "two", "{exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 2}}",
            "big", "{exactly: {deviceClassName: big, count: 4}}",
            "small", "{exactly: {deviceClassName: small}}",
            "mixed", "{exactly: {deviceClassName: mixed}}",
            "nic", "{exactly: {deviceClassName: nic}}",
            "all", "{exactly: {deviceClassName: gpu, allocationMode: All}}",
            "admin", "{exactly: {deviceClassName: gpu, adminAccess: true}}",
            "choice", "{firstAvailable: [{name: a, deviceClassName: gpu}, {name: b, deviceClassName: big}]}");
    private static final Surroundings SURROUNDINGS = new Surroundings() {
        @Override
        public OptionalInt priority(String priorityClassName) {
            return OptionalInt.empty();
        }

        @Override
        public List<LimitRange> limitRanges(String namespace) {
            return List.of();
        }

        @Override
        public Optional<ResourceClaimTemplate> claimTemplate(String namespace, String name) {
            return Optional.ofNullable(TEMPLATES.get(name))
                    .map(request -> "---\n{spec: {spec: {devices: {requests: ["
                            + request.replaceFirst("\\{", "{name: r, ") + "]}}}}")
                    .map(yaml -> Serialization.unmarshal(yaml, ResourceClaimTemplate.class));
        }

        @Override
        public SortedMap<String, String> nodeClassesOf(String deviceClass) {
            return new TreeMap<>(CLASSES.getOrDefault(deviceClass, Map.of()));
        }
    };

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatIsAskedByClaimsIsCountedInTheResourceOfTheNodeClasses(
            String sentence, String spec, String marks, long gpus, List<String> nodeClasses) {
        Gang gang = ((GangReading.Readable) read(spec, marks)).gang();

        assertThat(gang.podsets().get(0).shape().requests().get(GPU)).isEqualTo(gpus);
        assertThat(gang.nodeClasses()).isEqualTo(nodeClasses);
    }

    static Stream<Arguments> whatIsAskedByClaimsIsCountedInTheResourceOfTheNodeClasses() {
        return Stream.of(
                arguments("one device", claims("one"), "", 1, List.of("a100", "h100")),
                arguments(
                        "two claims, whichever container uses them",
                        claims("one", "two"),
                        "",
                        3,
                        List.of("a100", "h100")),
                arguments("only where all of them are handed out", claims("two", "big"), "", 6, List.of("h100")),
                arguments("of the classes that the job names", claims("one"), "h100", 1, List.of("h100")),
                arguments(
                        "a claim and an extended resource are two devices",
                        claims("one") + ", containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]",
                        "",
                        3,
                        List.of("a100", "h100")),
                arguments(
                        "by the name of the class, without a claim",
                        "containers: [{resources: {limits: {deviceclass.resource.kubernetes.io/big: 2}}}]",
                        "",
                        2,
                        List.of("h100")),
                arguments(
                        "an extended resource is what it always was",
                        "containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]",
                        "",
                        2,
                        List.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatCannotBeCountedIsRefused_NeverFree(String sentence, String spec, String marks, String problem) {
        assertThat(((GangReading.Unreadable) read(spec, marks)).problems()).containsExactly(problem);
    }

    static Stream<Arguments> whatCannotBeCountedIsRefused_NeverFree() {
        String at = "spec.template.spec.resourceClaims[0]";
        return Stream.of(
                arguments(
                        "a class that no node class names",
                        claims("nic"),
                        "",
                        at
                                + ": request r of nic is 'nic': no GpuNodeClass names this DeviceClass, so it cannot be charged."
                                + " Maybe name it in spec.accelerator.deviceClasses of one"),
                arguments(
                        "a class that stands for two resources",
                        claims("mixed"),
                        "",
                        at
                                + ": request r of mixed is 'mixed': node classes of different resources name this DeviceClass:"
                                + " nvidia.com/gpu, nvidia.com/mig-1g.10gb. Maybe name it in"
                                + " spec.accelerator.deviceClasses of one"),
                arguments(
                        "however many there are",
                        claims("all"),
                        "",
                        at
                                + ": request r of all asks for all devices, however many. Maybe ask for exactly one class with a"
                                + " count"),
                arguments(
                        "beside the users",
                        claims("admin"),
                        "",
                        at
                                + ": request r of admin asks for access beside the users of the devices. Maybe remove adminAccess"),
                arguments(
                        "a choice",
                        claims("choice"),
                        "",
                        at
                                + ": request r of choice leaves a choice, so that its charge is not known. Maybe ask for exactly one"
                                + " class with a count"),
                arguments(
                        "a template that is not there yet",
                        claims("late"),
                        "",
                        at + ".resourceClaimTemplateName is 'late': there is no ResourceClaimTemplate of this name in"
                                + " resource.k8s.io/v1, so what it asks is not known. Maybe create it first"),
                arguments(
                        "a claim that exists",
                        "resourceClaims: [{name: c, resourceClaimName: shared}]",
                        "",
                        at
                                + ".resourceClaimName is 'shared': pods may share a claim that exists, so nobody can tell whom to"
                                + " charge for it. Maybe name a resourceClaimTemplateName"),
                arguments(
                        "devices of two classes that no nodes share",
                        claims("big", "small"),
                        "",
                        "no node class that the job may use hands out all of its devices: its claims ask for different ones."
                                + " Maybe name the DeviceClass in spec.accelerator.deviceClasses of that GpuNodeClass"),
                arguments(
                        "a node class that hands out others",
                        claims("big"),
                        "a100",
                        "no node class that the job may use hands out all of its devices: a100 may be used. Maybe name the"
                                + " DeviceClass in spec.accelerator.deviceClasses of that GpuNodeClass"));
    }

    @Test
    void aPodTakesOfItsNodeWhatItAskedFor_NotTheClaimThatTheSchedulerMadeOfIt() {
        String status = "status: {phase: Running, extendedResourceClaimStatus: {resourceClaimName: c,"
                + " requestMappings: [{containerName: m, resourceName: nvidia.com/gpu, requestName: r}]}}";

        assertThat(taken(claims("two"), "")).isEqualTo(2);
        assertThat(taken("containers: [{name: m, resources: {limits: {nvidia.com/gpu: 1}}}]", status))
                .isEqualTo(1);
    }

    private static long taken(String spec, String status) {
        String yaml = "---\n{metadata: {uid: u, namespace: n, name: p}, spec: {nodeName: n1, " + spec + "}"
                + (status.isEmpty() ? "" : ", " + status) + "}";
        return PodReader.read(Serialization.unmarshal(yaml, Pod.class), SURROUNDINGS)
                .requests()
                .get(GPU);
    }

    private static GangReading read(String spec, String nodeClasses) {
        String annotations =
                nodeClasses.isEmpty() ? "" : ", annotations: {muster.dev/node-classes: " + nodeClasses + "}";
        Job job = Serialization.unmarshal(
                "---\n{metadata: {uid: u, namespace: n, name: j, labels: {muster.dev/queue: q}" + annotations
                        + "}, spec: {template: {spec: {" + spec + "}}}}",
                Job.class);
        return GangReader.read(job, SURROUNDINGS);
    }

    private static String claims(String... templates) {
        return "resourceClaims: ["
                + String.join(
                        ", ",
                        Stream.of(templates)
                                .map(name -> "{name: " + name + ", resourceClaimTemplateName: " + name + "}")
                                .toList())
                + "]";
    }
}
