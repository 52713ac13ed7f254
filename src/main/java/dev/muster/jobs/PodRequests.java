package dev.muster.jobs;

import dev.muster.core.model.Amounts;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a pod asks of its node, counted as the scheduler counts it, plus one pod slot.
 *
 * <ol>
 *   <li>A container's limit is its request where it states none; only then come the defaults of the namespace's
 *       LimitRanges. The API server keeps this order too.
 *   <li>Containers and sidecars (init containers that restart always) add up; each other init container needs itself and
 *       the sidecars before it; the larger of both counts, resource by resource.
 *   <li>Requests of the pod as a whole replace the sum for cpu, memory and huge pages; the runtime's overhead comes on top.
 * </ol>
 */
public final class PodRequests {
    private static final Set<String> OF_THE_WHOLE_POD = Set.of(Amounts.CPU, Amounts.MEMORY);

    private final List<LimitRange> ranges;
    private final Problems problems;

    private PodRequests(List<LimitRange> ranges, Problems problems) {
        this.ranges = ranges;
        this.problems = problems;
    }

    /** The requests; what cannot be counted stands at {@link Amounts#LARGEST}, so that it fits nowhere. Never throws. */
    public static Amounts of(PodSpec spec, List<LimitRange> ranges) {
        return read(spec, ranges, Map.of(), "spec", new Problems());
    }

    /**
     * The requests, with everything that is wrong with them.
     *
     * @param overhead of the pod's runtime class, counted when the pod itself states none
     * @param at where the spec stands, for messages
     */
    static Amounts read(
            PodSpec spec, List<LimitRange> ranges, Map<String, Quantity> overhead, String at, Problems problems) {
        return new PodRequests(ranges, problems).pod(spec, overhead, at);
    }

    private Amounts pod(PodSpec spec, Map<String, Quantity> runtimeOverhead, String at) {
        TreeMap<String, Long> running = new TreeMap<>();
        Set<String> stated = new TreeSet<>();
        List<Container> containers = Present.in(spec.getContainers());
        for (int i = 0; i < containers.size(); i++) {
            TreeMap<String, Long> one = container(containers.get(i), at + ".containers[" + i + "]");
            stated.addAll(one.keySet());
            add(running, one);
        }
        TreeMap<String, Long> starting = startUp(spec, running, stated, at);
        starting.forEach((resource, amount) -> running.merge(resource, amount, Math::max));
        wholePod(spec.getResources(), stated, running, at);
        Map<String, Quantity> own = Present.in(spec.getOverhead());
        add(running, amounts(own.isEmpty() ? runtimeOverhead : own, at + ".overhead"));
        running.put(Amounts.PODS, 1L);
        running.forEach((resource, amount) -> {
            if (amount > Quantities.LARGEST_STATED && problems.isEmpty()) {
                problems.add(at, resource + " " + amount, "a pod cannot ask for more than 10^15", "a unit is wrong");
            }
        });
        return new Amounts(running);
    }

    /** The most that is needed before the containers run; adds the sidecars to what runs. */
    private TreeMap<String, Long> startUp(PodSpec spec, TreeMap<String, Long> running, Set<String> stated, String at) {
        TreeMap<String, Long> most = new TreeMap<>();
        TreeMap<String, Long> sidecars = new TreeMap<>();
        List<Container> inits = Present.in(spec.getInitContainers());
        for (int i = 0; i < inits.size(); i++) {
            TreeMap<String, Long> one = container(inits.get(i), at + ".initContainers[" + i + "]");
            stated.addAll(one.keySet());
            if ("Always".equals(inits.get(i).getRestartPolicy())) {
                add(running, one);
                add(sidecars, one);
                one = sidecars;
            } else {
                add(one, sidecars);
            }
            one.forEach((resource, amount) -> most.merge(resource, amount, Math::max));
        }
        return most;
    }

    private void wholePod(
            @Nullable ResourceRequirements whole, Set<String> stated, TreeMap<String, Long> running, String at) {
        if (whole == null) {
            return;
        }
        TreeMap<String, Quantity> asked = new TreeMap<>(Present.in(whole.getRequests()));
        Present.in(whole.getLimits()).forEach((resource, limit) -> {
            if (!stated.contains(resource)) {
                asked.putIfAbsent(resource, limit);
            }
        });
        asked.keySet().removeIf(r -> !OF_THE_WHOLE_POD.contains(r) && !r.startsWith("hugepages-"));
        running.putAll(amounts(asked, at + ".resources.requests"));
    }

    private TreeMap<String, Long> container(Container container, String at) {
        ResourceRequirements resources = container.getResources();
        TreeMap<String, Quantity> asked = new TreeMap<>();
        if (resources != null) {
            asked.putAll(Present.in(resources.getRequests()));
            Present.in(resources.getLimits()).forEach(asked::putIfAbsent);
        }
        for (LimitRange range : ranges) {
            if (range.getSpec() != null) {
                Present.in(range.getSpec().getLimits()).stream()
                        .filter(item -> "Container".equals(item.getType()))
                        .forEach(item -> {
                            Present.in(item.getDefaultRequest()).forEach(asked::putIfAbsent);
                            Present.in(item.getDefault()).forEach(asked::putIfAbsent);
                            Present.in(item.getMax()).forEach(asked::putIfAbsent);
                            Present.in(item.getMin()).forEach(asked::putIfAbsent);
                        });
            }
        }
        return amounts(asked, at + ".resources");
    }

    private TreeMap<String, Long> amounts(Map<String, Quantity> asked, String at) {
        TreeMap<String, Long> read = new TreeMap<>();
        asked.forEach((resource, quantity) -> {
            Quantities.Reading reading = Quantities.request(resource, quantity);
            if (reading.fault() != null) {
                problems.add(at + " [" + resource + "]", Quantities.text(quantity), reading.fault(), "a unit is wrong");
            }
            read.put(resource, reading.amount());
        });
        return read;
    }

    private static void add(TreeMap<String, Long> sum, Map<String, Long> more) {
        // both are at most 2^60, so the sum cannot wrap
        more.forEach((resource, amount) -> sum.merge(resource, amount, (a, b) -> Math.min(Amounts.LARGEST, a + b)));
    }
}
