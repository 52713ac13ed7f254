package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A pod of a group, and the podset that it belongs to: that of its stamp once it has a place, else that of its shape. A pod
 * that comes for a lost one is of the same podset when it is of the same shape.
 */
public record GroupPod(Pod pod, String podset) {
    private static final ObjectMapper SORTED = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();
    private static final int DIGITS = 8;

    /** The pod as it is stored. */
    public static GroupPod of(Pod pod) {
        String stamp = JobMarks.annotations(pod.getMetadata()).get(Marks.PODSET);
        return new GroupPod(pod, stamp != null ? stamp : "pods-" + shape(pod));
    }

    String name() {
        return pod.getMetadata().getName();
    }

    /** UID of the pod. */
    public String uid() {
        return pod.getMetadata().getUid();
    }

    /** UID of the gang with which it got its place; empty while it has none. */
    String gang() {
        return JobMarks.annotations(pod.getMetadata()).getOrDefault(Marks.GANG_UID, "");
    }

    String mark(String annotation) {
        return JobMarks.annotations(pod.getMetadata()).getOrDefault(annotation, "");
    }

    String label(String label) {
        return JobMarks.labels(pod.getMetadata()).getOrDefault(label, "");
    }

    boolean isGated() {
        return PlainPods.isGated(pod);
    }

    boolean isLeaving() {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    boolean succeeded() {
        return "Succeeded".equals(phase());
    }

    boolean hasEnded() {
        return succeeded() || "Failed".equals(phase());
    }

    private String phase() {
        return pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
    }

    /** What decides where the pod fits, before Muster has placed it. */
    private static String shape(Pod pod) {
        PodSpec spec = pod.getSpec() == null ? new PodSpec() : pod.getSpec();
        ObjectNode shape = SORTED.createObjectNode();
        shape.putPOJO("requests", new TreeMap<>(PodRequests.of(spec, List.of()).byResource()));
        shape.putPOJO("nodeSelector", new TreeMap<>(Present.in(spec.getNodeSelector())));
        shape.putPOJO("affinity", spec.getAffinity());
        shape.putPOJO("tolerations", Present.in(spec.getTolerations()));
        Present.in(spec.getResourceClaims())
                .forEach(claim -> shape.withArray("/claims").add(claim.getResourceClaimTemplateName()));
        shape.put("topology", JobMarks.annotations(pod.getMetadata()).getOrDefault(Marks.TOPOLOGY, ""));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(SORTED.writeValueAsString(shape).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("a pod's shape has no digest", e);
        }
    }

    /** The size that it says its group has; empty text, or another that is no number, is none. */
    int size() {
        String text = mark(Marks.POD_GROUP_SIZE);
        return text.matches("[1-9][0-9]{0,2}") && Integer.parseInt(text) <= GroupedPods.LARGEST
                ? Integer.parseInt(text)
                : 0;
    }

    /** The marks in which all pods of a group have to agree, and what stands there. */
    Map<String, String> shared() {
        TreeMap<String, String> shared = new TreeMap<>();
        List.of(Marks.INTERRUPTIBLE, Marks.PRIORITY_CLASS).forEach(key -> shared.put(key, label(key)));
        List.of(Marks.POD_GROUP_SIZE, Marks.NODE_CLASSES, Marks.REQUIRES, Marks.MAX_RUNTIME)
                .forEach(key -> shared.put(key, mark(key)));
        return shared;
    }
}
