package dev.muster.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The objects of one kind as they were seen last, whoever brought the news: the watch, a list, or the answer to a write of
 * our own. News about one object is passed on in the order of its versions; what is older than what is known is dropped.
 *
 * @param <T> kind of the objects
 */
final class Watched<T extends HasMetadata> {
    /** How many lost objects are kept in mind; a write of ours is answered long before so many more are lost. */
    private static final int REMEMBERED = 10_000;

    /**
     * Where news goes. Called under this object's lock, so it must be quick and call nothing back.
     *
     * @param <T> kind of the objects
     */
    interface Sink<T> {
        /** An object is new or changed. */
        void seen(T object);

        /** An object is gone; {@code last} is what was kept of it. */
        void gone(T last);
    }

    private final UnaryOperator<T> keep;
    private final Sink<T> sink;
    /** Read without the lock, so that a sink may ask another watch from under its own. */
    private final Map<String, T> byUid = new ConcurrentHashMap<>();

    private final Map<String, String> uidByName = new HashMap<>();
    /** UIDs of the objects that were lost last, so that a late answer does not bring one back. */
    private final Set<String> gone = new LinkedHashSet<>();

    /** {@code keep} gives what is remembered of an object; the metadata's UID, name, namespace and version must stay. */
    Watched(UnaryOperator<T> keep, Sink<T> sink) {
        this.keep = keep;
        this.sink = sink;
    }

    /** Takes one object as it is, or was, stored. */
    synchronized void observe(T fresh) {
        String uid = fresh.getMetadata().getUid();
        T known = byUid.get(uid);
        if (gone.contains(uid)) {
            return; // a late answer to a write of ours; UIDs never come back
        }
        if (known != null && !Versions.isNews(version(known), version(fresh))) {
            return;
        }
        String before = uidByName.put(name(fresh), uid);
        if (before != null && !before.equals(uid)) {
            forget(before);
            uidByName.put(name(fresh), uid);
        }
        byUid.put(uid, keep.apply(fresh));
        sink.seen(fresh);
    }

    /** Takes the news that an object is gone. */
    synchronized void lost(T object) {
        forget(object.getMetadata().getUid());
    }

    /**
     * Takes the end of a complete list, consistent at version {@code listedAt}, all objects of which were observed: what
     * is not in it is gone, unless it is newer than the list.
     */
    synchronized void listed(Set<String> uids, String listedAt) {
        List<String> absent = new ArrayList<>();
        byUid.forEach((uid, kept) -> {
            if (!uids.contains(uid) && !Versions.isLater(version(kept), listedAt)) {
                absent.add(uid);
            }
        });
        absent.forEach(this::forget);
    }

    /** Takes the news that all objects are gone, because their kind is. */
    synchronized void lostAll() {
        List.copyOf(byUid.keySet()).forEach(this::forget);
    }

    /** Passes on again what is known of the chosen objects, because what they are read with has changed. */
    synchronized void again(Predicate<T> chosen) {
        byUid.values().stream().filter(chosen).toList().forEach(sink::seen);
    }

    /** What was kept of the object with this name; {@code namespace} is empty for cluster-scoped kinds. */
    synchronized Optional<T> named(String namespace, String name) {
        return Optional.ofNullable(uidByName.get(namespace + "/" + name)).map(byUid::get);
    }

    /** What was kept of the object with this UID; never waits. */
    Optional<T> withUid(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** All that is kept, in no order. */
    synchronized List<T> all() {
        return List.copyOf(byUid.values());
    }

    private void forget(String uid) {
        T last = byUid.remove(uid);
        if (last != null) {
            gone.add(uid);
            if (gone.size() > REMEMBERED) {
                gone.remove(gone.iterator().next());
            }
            uidByName.remove(name(last), uid);
            sink.gone(last);
        }
    }

    private String version(T object) {
        return object.getMetadata().getResourceVersion();
    }

    private String name(T object) {
        String namespace = object.getMetadata().getNamespace();
        return (namespace == null ? "" : namespace) + "/" + object.getMetadata().getName();
    }
}
