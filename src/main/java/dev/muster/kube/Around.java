package dev.muster.kube;

import dev.muster.core.model.NodeClass;
import dev.muster.jobs.Surroundings;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** What jobs are read with, as the cluster's PriorityClasses, LimitRanges, RuntimeClasses, templates of claims and node classes say now. Read from any thread, without locks. */
final class Around implements Surroundings {
    private final ConcurrentHashMap<String, PriorityClass> priorities = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, ConcurrentHashMap<String, LimitRange>> limits = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, RuntimeClass> runtimes = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, ResourceClaimTemplate> templates = new ConcurrentHashMap<>();
    private final Map<String, NodeClass> nodeClasses;

    /** Around nothing. */
    Around() {
        this(Map.of());
    }

    /** Around these node classes by name, which may change. */
    Around(Map<String, NodeClass> nodeClasses) {
        this.nodeClasses = nodeClasses;
    }

    @Override
    public Optional<ResourceClaimTemplate> claimTemplate(String namespace, String name) {
        return Optional.ofNullable(templates.get(namespace + "/" + name));
    }

    @Override
    public SortedMap<String, String> nodeClassesOf(String deviceClass) {
        SortedMap<String, String> found = new TreeMap<>();
        nodeClasses.values().stream()
                .filter(nodeClass -> nodeClass.devices().classes().contains(deviceClass))
                .forEach(nodeClass -> found.put(nodeClass.name(), nodeClass.resource()));
        return found;
    }

    void put(ResourceClaimTemplate template) {
        templates.put(title(template), template);
    }

    void remove(ResourceClaimTemplate template) {
        templates.remove(title(template));
    }

    private static String title(ResourceClaimTemplate template) {
        return template.getMetadata().getNamespace() + "/"
                + template.getMetadata().getName();
    }

    @Override
    public OptionalInt priority(String priorityClassName) {
        PriorityClass found = priorities.get(priorityClassName);
        return found == null || found.getValue() == null ? OptionalInt.empty() : OptionalInt.of(found.getValue());
    }

    /** As in Kubernetes: of several global defaults the lowest value counts. */
    @Override
    public int defaultPriority() {
        return priorities.values().stream()
                .filter(Around::isDefault)
                .mapToInt(PriorityClass::getValue)
                .min()
                .orElse(0);
    }

    @Override
    public List<LimitRange> limitRanges(String namespace) {
        return limits.getOrDefault(namespace, new ConcurrentHashMap<>()).values().stream()
                .sorted(Comparator.comparing(range -> range.getMetadata().getName()))
                .toList();
    }

    @Override
    public Map<String, Quantity> overhead(String runtimeClassName) {
        RuntimeClass found = runtimes.get(runtimeClassName);
        return found == null
                        || found.getOverhead() == null
                        || found.getOverhead().getPodFixed() == null
                ? Map.of()
                : found.getOverhead().getPodFixed();
    }

    private static boolean isDefault(PriorityClass priority) {
        return Boolean.TRUE.equals(priority.getGlobalDefault()) && priority.getValue() != null;
    }

    void put(PriorityClass priority) {
        priorities.put(priority.getMetadata().getName(), priority);
    }

    void remove(PriorityClass priority) {
        priorities.remove(priority.getMetadata().getName());
    }

    void put(LimitRange range) {
        limits.computeIfAbsent(range.getMetadata().getNamespace(), namespace -> new ConcurrentHashMap<>())
                .put(range.getMetadata().getName(), range);
    }

    void remove(LimitRange range) {
        ConcurrentHashMap<String, LimitRange> there =
                limits.get(range.getMetadata().getNamespace());
        if (there != null) {
            there.remove(range.getMetadata().getName());
        }
    }

    void put(RuntimeClass runtime) {
        runtimes.put(runtime.getMetadata().getName(), runtime);
    }

    void remove(RuntimeClass runtime) {
        runtimes.remove(runtime.getMetadata().getName());
    }
}
