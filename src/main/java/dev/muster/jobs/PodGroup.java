package dev.muster.jobs;

import dev.muster.api.Marks;
import dev.muster.core.model.GangState;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The pods of one group as one job. It is stored nowhere: its metadata is what its pods carry, taken together. The first pod
 * by name speaks for all where they agree; what Muster wrote on any of them counts for all.
 */
public final class PodGroup implements HasMetadata {
    /** What stands on one pod at least once it stands for the group. */
    private static final List<String> SHARED =
            List.of(Marks.ADMISSION, Marks.WAITING, Marks.CLAIM, Marks.HISTORY, Marks.STOP_AT);

    private static final List<GangState> BY_WEIGHT =
            List.of(GangState.STOPPING, GangState.RUNNING, GangState.ADMITTED, GangState.WAITING);

    private static final long serialVersionUID = 1L;

    private final transient List<GroupPod> pods;
    private ObjectMeta metadata;

    /**
     * Which pods are one group.
     *
     * @param name of the group
     */
    public record Key(String namespace, String queue, String name) {}

    /**
     * These pods as one job.
     *
     * @param uid of the gang
     * @param version rises with every change of the group
     * @param pods at least one
     */
    public PodGroup(Key key, String uid, String version, List<GroupPod> pods) {
        this.pods = pods.stream().sorted(Comparator.comparing(GroupPod::name)).toList();
        ObjectMeta first = this.pods.get(0).pod().getMetadata();
        metadata = new ObjectMeta();
        metadata.setUid(uid);
        metadata.setNamespace(key.namespace());
        metadata.setName(key.name());
        metadata.setResourceVersion(version);
        metadata.setCreationTimestamp(pods.stream()
                .map(one -> one.pod().getMetadata().getCreationTimestamp())
                .filter(at -> at != null)
                .min(Comparator.naturalOrder())
                .orElse(null));
        TreeMap<String, String> labels = new TreeMap<>(JobMarks.labels(first));
        labels.put(Marks.STATE, state());
        metadata.setLabels(labels);
        metadata.setAnnotations(annotations(JobMarks.annotations(first)));
    }

    /** The group that a pod names which names a queue too; empty for none. */
    public static Optional<Key> of(HasMetadata pod) {
        Map<String, String> labels = JobMarks.labels(pod.getMetadata());
        String group = labels.getOrDefault(Marks.POD_GROUP, "");
        String namespace = pod.getMetadata().getNamespace();
        return PlainPods.isGang(pod) && !group.isEmpty()
                ? Optional.of(new Key(namespace == null ? "" : namespace, labels.getOrDefault(Marks.QUEUE, ""), group))
                : Optional.empty();
    }

    /** Its pods, by name. */
    public List<GroupPod> pods() {
        return pods;
    }

    /** The pod on which Muster writes what concerns the whole group and is needed once. */
    public Pod first() {
        return pods.get(0).pod();
    }

    private String state() {
        List<String> states = pods.stream()
                .map(one -> JobMarks.labels(one.pod().getMetadata()).getOrDefault(Marks.STATE, ""))
                .toList();
        if (states.stream().allMatch(GangState.FINISHED.label()::equals)) {
            return GangState.FINISHED.label();
        }
        return BY_WEIGHT.stream()
                .map(GangState::label)
                .filter(states::contains)
                .findFirst()
                .orElse("");
    }

    private TreeMap<String, String> annotations(Map<String, String> ofFirst) {
        TreeMap<String, String> merged = new TreeMap<>(ofFirst);
        for (GroupPod one : pods) {
            Map<String, String> own = JobMarks.annotations(one.pod().getMetadata());
            for (String key : SHARED) {
                if (own.containsKey(key)) {
                    merged.putIfAbsent(key, own.get(key));
                }
            }
            if (own.containsKey(Marks.ADMISSION)) {
                merged.putIfAbsent(Marks.FENCE, own.getOrDefault(Marks.FENCE, ""));
            }
            if (own.containsKey(Marks.LAST_CHECKPOINT)) {
                merged.merge(
                        Marks.LAST_CHECKPOINT, own.get(Marks.LAST_CHECKPOINT), (a, b) -> a.compareTo(b) < 0 ? b : a);
            }
        }
        return merged;
    }

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta metadata) {
        this.metadata = metadata;
    }

    @Override
    public String getKind() {
        return "Pod";
    }

    @Override
    public String getApiVersion() {
        return "v1";
    }

    @Override
    public void setApiVersion(String version) {
        throw new UnsupportedOperationException("the pods of a group are of v1");
    }
}
