package dev.muster.jobs;

import dev.muster.api.GpuNodeClass;
import dev.muster.api.GpuNodeClassSpec;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Taint;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a GpuNodeClass; as {@link QueueReader}, it repeats what the schema refuses. */
public final class ClassReader {
    private ClassReader() {}

    /**
     * The node class.
     *
     * @throws IllegalArgumentException if it is none; the message names every problem
     */
    public static NodeClass read(GpuNodeClass stored) {
        Problems problems = new Problems();
        NodeClass nodeClass = read(stored, problems);
        if (nodeClass == null || !problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems.all()));
        }
        return nodeClass;
    }

    /** The class as far as it can be read, with all that is wrong with it; null when nothing can be. */
    public static @Nullable NodeClass read(GpuNodeClass stored, Problems problems) {
        GpuNodeClassSpec spec = stored.getSpec();
        if (spec == null) {
            problems.add("spec is missing");
            return null;
        }
        if (spec.owner() == null || spec.owner().isEmpty()) {
            problems.add("spec.owner is missing: somebody answers for each node class. Maybe name the team");
        }
        if (spec.selector().isEmpty()) {
            problems.add("spec.selector is empty: it would match every node. Maybe name a label of the nodes");
        }
        Taint taint = taint(spec.taint(), problems);
        boolean odd = spec.taint() != null && taint == null;
        NodeClass read = new NodeClass(
                stored.getMetadata().getName() == null
                        ? ""
                        : stored.getMetadata().getName(),
                spec.selector(),
                taint,
                odd ? List.of() : PodShapes.tolerations(spec.tolerationsToAdd()),
                spec.resource(),
                facts(spec),
                spec.topology(),
                scaling(spec.scaling(), problems),
                NodeClass.Sharing.valueOf(spec.sharing().name()),
                spec.purposes().stream()
                        .map(purpose -> Queue.Purpose.valueOf(purpose.name()))
                        .collect(Collectors.toSet()),
                readyCondition(spec, problems),
                devices(spec.accelerator(), problems));
        Taint demanded = read.taint();
        if (demanded != null && read.tolerations().stream().noneMatch(t -> t.tolerates(demanded))) {
            problems.add("no toleration matches the taint that the class demands, so no pod could be placed."
                    + " Maybe leave tolerations out: then the taint itself is tolerated");
        }
        return read;
    }

    private static NodeClass.Devices devices(GpuNodeClassSpec.Accelerator given, Problems problems) {
        if (given.deviceClasses() == null || given.deviceClasses().isEmpty()) {
            return NodeClass.Devices.NONE;
        }
        if (given.count() == null) {
            problems.add(
                    "spec.accelerator.count is missing: nodes do not say how many devices of deviceClasses they have."
                            + " Maybe write count: 8");
        }
        return new NodeClass.Devices(Set.copyOf(given.deviceClasses()), given.count() == null ? 0 : given.count());
    }

    /** Shared by MPS, a GPU is of no use without its daemon; so it has to be said by which condition one sees that. */
    private static String readyCondition(GpuNodeClassSpec spec, Problems problems) {
        String given = spec.readyCondition();
        if (given == null && spec.sharing() == GpuNodeClassSpec.Sharing.MPS) {
            problems.add(
                    "spec.readyCondition is missing: with sharing Mps a node is ready only while its MPS daemon answers."
                            + " Maybe name the node condition that tells it, such as MpsDaemonReady");
        }
        return given == null ? "" : given;
    }

    private static @Nullable Taint taint(GpuNodeClassSpec.@Nullable NodeTaint given, Problems problems) {
        if (given == null) {
            return null;
        }
        if (given.key() == null || given.effect() == null) {
            problems.add("spec.taint has no key or no effect. Maybe write {key: nvidia.com/gpu, effect: NoSchedule}");
            return null;
        }
        return new Taint(
                given.key(),
                given.value() == null ? "" : given.value(),
                Taint.Effect.valueOf(given.effect().name()));
    }

    private static Map<String, String> facts(GpuNodeClassSpec spec) {
        TreeMap<String, String> facts = new TreeMap<>();
        put(facts, "cuda", spec.facts().cuda());
        put(facts, "driver", spec.facts().driver());
        put(facts, "compute", spec.facts().compute());
        put(facts, "arch", spec.facts().arch());
        put(facts, "product", spec.accelerator().product());
        if (spec.accelerator().memory() != null) {
            long bytes =
                    Quantities.offer("gpu-memory", spec.accelerator().memory()).amount();
            facts.put("gpu-memory", Long.toString(bytes));
        }
        return facts;
    }

    private static void put(TreeMap<String, String> facts, String name, @Nullable String value) {
        if (value != null) {
            facts.put(name, value);
        }
    }

    private static NodeClass.@Nullable Scaling scaling(GpuNodeClassSpec.@Nullable Scaling given, Problems problems) {
        if (given == null) {
            return null;
        }
        return new NodeClass.Scaling(
                given.maxNodes() == null ? OptionalInt.empty() : OptionalInt.of(given.maxNodes()),
                NodeReader.offered(given.shape()),
                QueueReader.millis("spec.scaling.leadTime", given.leadTime(), problems));
    }
}
