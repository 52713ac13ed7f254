package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.GpuNodeClass;
import dev.muster.api.TeamQueue;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import dev.muster.jobs.ClassReader;
import dev.muster.jobs.QueueReader;
import dev.muster.jobs.Surroundings;
import dev.muster.kinds.Kinds;
import dev.muster.kinds.ShippedKinds;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Facts as a test's file states them: queues, classes, jobs by UID, priorities, an outlook for every gang. */
record GivenFacts(JsonNode given) implements DoorFacts {
    @Override
    public boolean isComplete() {
        return given.path("complete").asBoolean(true);
    }

    @Override
    public Surroundings surroundings() {
        return new Surroundings() {
            @Override
            public OptionalInt priority(String priorityClassName) {
                JsonNode value = given.path("priorities").path(priorityClassName);
                return value.isInt() ? OptionalInt.of(value.asInt()) : OptionalInt.empty();
            }

            @Override
            public List<LimitRange> limitRanges(String namespace) {
                return List.of();
            }

            @Override
            public Optional<ResourceClaimTemplate> claimTemplate(String namespace, String name) {
                return all("claimTemplates", ResourceClaimTemplate.class).stream()
                        .filter(template -> template.getMetadata().getName().equals(name))
                        .findFirst();
            }

            @Override
            public SortedMap<String, String> nodeClassesOf(String deviceClass) {
                SortedMap<String, String> found = new TreeMap<>();
                nodeClasses().stream()
                        .filter(one -> one.devices().classes().contains(deviceClass))
                        .forEach(one -> found.put(one.name(), one.resource()));
                return found;
            }
        };
    }

    @Override
    public Kinds kinds() {
        return ShippedKinds.all();
    }

    @Override
    public Optional<Queue> queue(String name) {
        return all("queues", TeamQueue.class).stream()
                .filter(queue -> queue.getMetadata().getName().equals(name))
                .map(QueueReader::read)
                .findFirst();
    }

    @Override
    public List<NodeClass> nodeClasses() {
        return all("classes", GpuNodeClass.class).stream()
                .map(ClassReader::read)
                .toList();
    }

    @Override
    public Outlook outlook(Gang gang) {
        JsonNode outlook = given.path("outlook");
        return new Outlook(
                waiting(outlook.path("never"), Reason.NEVER_RUNNABLE),
                waiting(outlook.path("waiting"), Reason.QUOTA_EXHAUSTED),
                outlook.path("ahead").asInt());
    }

    @Override
    public Optional<StoredGang> gang(String uid) {
        return all("jobs", Job.class).stream()
                .filter(job -> job.getMetadata().getUid().equals(uid))
                .map(job -> StoredGang.of(job, given.path("fenceHolds").asBoolean(true)))
                .findFirst();
    }

    private static @Nullable Waiting waiting(JsonNode sentence, Reason reason) {
        return sentence.isTextual() ? new Waiting(reason, sentence.asText(), "Ask for fewer members.") : null;
    }

    private <T> List<T> all(String field, Class<T> type) {
        List<T> read = new ArrayList<>();
        StreamSupport.stream(given.path(field).spliterator(), false)
                .forEach(node -> read.add(Serialization.jsonMapper().convertValue(node, type)));
        return read;
    }
}
