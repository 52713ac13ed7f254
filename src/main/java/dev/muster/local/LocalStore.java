package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Objects by kind, namespace and name, each with a UID and a resourceVersion that grows with every change. A stored object
 * is never changed in place. Watchers are told of each change at once. For one thread at a time.
 */
final class LocalStore {
    /** Told of every change, as the object is stored now. */
    interface Watcher {
        void stored(Key key, ObjectNode object);

        void deleted(Key key, ObjectNode last);
    }

    /** Which object; {@code namespace} is empty for cluster-scoped ones. */
    record Key(String kind, String namespace, String name) {
        static Key of(JsonNode object) {
            JsonNode metadata = object.path("metadata");
            return new Key(
                    object.path("kind").asText(),
                    metadata.path("namespace").asText(""),
                    metadata.path("name").asText());
        }

        private String inKind() {
            return namespace + "/" + name;
        }
    }

    private final Map<String, TreeMap<String, ObjectNode>> byKind = new HashMap<>();
    private final Map<String, Key> byUid = new HashMap<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private final long uidHigh;
    private long versions;
    private long uids;

    /** A store whose UIDs begin with the given number. */
    LocalStore(long uidHigh) {
        this.uidHigh = uidHigh;
    }

    void watch(Watcher watcher) {
        watchers.add(watcher);
    }

    Optional<ObjectNode> get(Key key) {
        return Optional.ofNullable(kind(key.kind()).get(key.inKind()));
    }

    Optional<ObjectNode> byUid(String uid) {
        return Optional.ofNullable(byUid.get(uid)).flatMap(this::get);
    }

    /** All objects of a kind, by namespace and name. */
    List<ObjectNode> list(String kind) {
        return List.copyOf(kind(kind).values());
    }

    /** Stores a new object, with UID, resourceVersion and creation time. */
    ObjectNode create(ObjectNode object, long now) {
        Key key = Key.of(object);
        if (kind(key.kind()).containsKey(key.inKind())) {
            throw new IllegalStateException(key + " is stored already");
        }
        ObjectNode stored = object.deepCopy();
        String uid = new UUID(uidHigh, ++uids).toString();
        stored.withObject("/metadata")
                .put("uid", uid)
                .put("creationTimestamp", time(now))
                .put("generation", 1)
                .put("resourceVersion", nextVersion());
        put(key, stored);
        byUid.put(uid, key);
        return stored;
    }

    /** Stores the object's next state; the same state again changes nothing, not even the resourceVersion. */
    ObjectNode update(ObjectNode next) {
        Key key = Key.of(next);
        ObjectNode before = get(key).orElseThrow(() -> new IllegalStateException(key + " is not stored"));
        ObjectNode stored = next.deepCopy();
        ObjectNode metadata = stored.withObject("/metadata");
        metadata.set("resourceVersion", before.path("metadata").path("resourceVersion"));
        if (stored.equals(before)) {
            return before;
        }
        if (!stored.path("spec").equals(before.path("spec"))) {
            metadata.put(
                    "generation", before.path("metadata").path("generation").asLong() + 1);
        }
        metadata.put("resourceVersion", nextVersion());
        put(key, stored);
        return stored;
    }

    /** Takes the object away, if it is there. */
    void delete(Key key) {
        ObjectNode last = kind(key.kind()).remove(key.inKind());
        if (last != null) {
            byUid.remove(last.path("metadata").path("uid").asText());
            watchers.forEach(watcher -> watcher.deleted(key, last));
        }
    }

    /** A time as Kubernetes writes it. */
    static String time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void put(Key key, ObjectNode object) {
        kind(key.kind()).put(key.inKind(), object);
        watchers.forEach(watcher -> watcher.stored(key, object));
    }

    private TreeMap<String, ObjectNode> kind(String kind) {
        return byKind.computeIfAbsent(kind, name -> new TreeMap<>());
    }

    private String nextVersion() {
        return Long.toString(++versions);
    }
}
