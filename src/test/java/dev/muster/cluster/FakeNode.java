package dev.muster.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A simulated node, kept ready by kwok.
 *
 * @param name its name, and its {@code kubernetes.io/hostname}
 * @param labels further labels
 * @param taints its taints
 * @param offers capacity and allocatable, for each resource
 */
public record FakeNode(String name, Map<String, String> labels, List<Taint> taints, Map<String, Quantity> offers) {
    /** The annotation by which kwok knows its nodes. */
    private static final Map<String, String> SIMULATED = Map.of("kwok.x-k8s.io/node", "fake");

    /** A node with 8 H100, 128 CPUs, 2 TiB and room for 110 pods, labelled as NVIDIA's feature discovery does, and tainted. */
    public static FakeNode h100(String name) {
        return cpu(name, 128, "2Ti")
                .offering("nvidia.com/gpu", "8")
                .labelled("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")
                .tainted("nvidia.com/gpu", "present", "NoSchedule");
    }

    /** A node with 8 A100, 96 CPUs, 1 TiB and room for 110 pods, labelled and tainted as {@link #h100}. */
    public static FakeNode a100(String name) {
        return cpu(name, 96, "1Ti")
                .offering("nvidia.com/gpu", "8")
                .labelled("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB")
                .tainted("nvidia.com/gpu", "present", "NoSchedule");
    }

    /** A node without GPUs and taints, with room for 110 pods. */
    public static FakeNode cpu(String name, int cpus, String memory) {
        return new FakeNode(name, Map.of(), List.of(), Map.of())
                .offering("cpu", Integer.toString(cpus))
                .offering("memory", memory)
                .offering("ephemeral-storage", "1Ti")
                .offering("pods", "110");
    }

    /** The same node with one more label. */
    public FakeNode labelled(String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return new FakeNode(name, more, taints, offers);
    }

    /** The same node with one more taint. */
    public FakeNode tainted(String key, String value, String effect) {
        List<Taint> more = new ArrayList<>(taints);
        more.add(new TaintBuilder()
                .withKey(key)
                .withValue(value)
                .withEffect(effect)
                .build());
        return new FakeNode(name, labels, more, offers);
    }

    /** The same node without taints. */
    public FakeNode untainted() {
        return new FakeNode(name, labels, List.of(), offers);
    }

    /** The same node with another amount of a resource. */
    public FakeNode offering(String resource, String amount) {
        Map<String, Quantity> more = new TreeMap<>(offers);
        more.put(resource, new Quantity(amount));
        return new FakeNode(name, labels, taints, more);
    }

    Node toNode() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withAnnotations(SIMULATED)
                .withLabels(labels)
                .addToLabels("kubernetes.io/hostname", name)
                .addToLabels("kubernetes.io/arch", "amd64")
                .addToLabels("kubernetes.io/os", "linux")
                .endMetadata()
                .withNewSpec()
                .withTaints(taints)
                .endSpec()
                .withNewStatus()
                .withCapacity(offers)
                .withAllocatable(offers)
                .endStatus()
                .build();
    }
}
