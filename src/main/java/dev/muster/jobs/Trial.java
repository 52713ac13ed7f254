package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.kinds.FieldPath;
import dev.muster.kinds.GangKind;
import java.util.ArrayList;
import java.util.List;

/** The sample of a kind that is created in a dry run, and what must be there when it comes back. */
public final class Trial {
    private static final String NAME = "muster-sample";

    private Trial() {}

    /**
     * A sample in a namespace that names a queue.
     *
     * @param marked whether what Muster's policies write is there already
     */
    public static ObjectNode sample(GangKind kind, String namespace, boolean marked) {
        ObjectNode sample = (ObjectNode) kind.sample();
        sample.put("apiVersion", kind.name().apiVersion())
                .put("kind", kind.name().kind());
        ObjectNode metadata = sample.putObject("metadata").put("name", NAME).put("namespace", namespace);
        metadata.putObject("labels").put(Marks.QUEUE, NAME);
        if (marked) {
            metadata.withObject("/labels").put(Marks.MANAGED, "true");
            FieldPath suspend = kind.suspend();
            String pointer = suspend.pointer();
            sample.withObject(pointer.substring(0, pointer.lastIndexOf('/'))).put(suspend.last(), true);
            for (Expanded podset : Expanded.of(kind, sample)) {
                ObjectNode template = (ObjectNode) podset.template();
                template.withObject("/metadata/labels").put(Marks.MANAGED, "true");
                template.withObject("/spec")
                        .putArray("schedulingGates")
                        .addObject()
                        .put("name", Marks.GATE);
            }
        }
        return sample;
    }

    /** What is missing in a sample that came back, as parts of a sentence. */
    public static List<String> missing(GangKind kind, JsonNode stored) {
        List<String> missing = new ArrayList<>();
        if (!kind.suspend().in(stored).asBoolean()) {
            missing.add(kind.suspend() + ": true");
        }
        if (!"true"
                .equals(stored.path("metadata")
                        .path("labels")
                        .path(Marks.MANAGED)
                        .asText())) {
            missing.add("the label " + Marks.MANAGED);
        }
        for (Expanded podset : Expanded.of(kind, stored)) {
            String at = podset.path(podset.rule().template().text());
            JsonNode template = podset.template();
            if (!"true"
                    .equals(template.path("metadata")
                            .path("labels")
                            .path(Marks.MANAGED)
                            .asText())) {
                missing.add("the label " + Marks.MANAGED + " in " + at);
            }
            boolean gated = false;
            for (JsonNode gate : template.path("spec").path("schedulingGates")) {
                gated |= Marks.GATE.equals(gate.path("name").asText());
            }
            if (!gated) {
                missing.add("the gate " + Marks.GATE + " in " + at);
            }
        }
        return missing;
    }
}
