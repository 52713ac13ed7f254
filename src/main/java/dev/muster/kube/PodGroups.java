package dev.muster.kube;

import dev.muster.core.model.GangReading;
import dev.muster.core.model.PodFacts;
import dev.muster.engine.Event;
import dev.muster.jobs.GroupPod;
import dev.muster.jobs.GroupedPods;
import dev.muster.jobs.PlainPods;
import dev.muster.jobs.PodGroup;
import dev.muster.jobs.PodGrouping;
import dev.muster.jobs.PodReader;
import dev.muster.jobs.Surroundings;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pods that name a group, put together: news of one of them becomes news of its gang, and of itself as a member. A pod that
 * its group has no need of is shown as a gang of one that stands by. Called from under the lock of a watch; asked from any
 * thread.
 */
final class PodGroups implements Watched.Sink<Pod> {
    private final Surroundings surroundings;
    private final Consumer<Event> events;
    private final Consumer<String> news;
    private final GroupedPods reader = new GroupedPods();
    private final PlainPods plain = new PlainPods();
    private final Map<PodGroup.Key, Group> groups = new HashMap<>();
    private final Map<String, SeenJob> byUid = new ConcurrentHashMap<>();
    private long version;

    /** What is known of the pods of one name. */
    private static final class Group {
        final Map<String, GroupPod> pods = new TreeMap<>();
        /** What was told of each gang, by its UID. */
        Map<String, GangReading> told = Map.of();

        Map<String, PodFacts> toldOfPods = Map.of();
        Map<String, Members> gangs = Map.of();
        Set<String> closed = Set.of();

        @Nullable
        String waiting;
    }

    /** Members of a gang, and the number of their last change. */
    private record Members(List<GroupPod> pods, long version) {}

    /** None yet; {@code news} hears the UID of each gang of which news went out. */
    PodGroups(Surroundings surroundings, Consumer<Event> events, Consumer<String> news) {
        this.surroundings = surroundings;
        this.events = events;
        this.news = news;
    }

    /** The sink of a watch over pods that name a queue: those with a group come here, the others go on to {@code others}. */
    Watched.Sink<Pod> before(Watched.Sink<Pod> others) {
        return new Watched.Sink<>() {
            @Override
            public void seen(Pod pod) {
                (PodGroup.of(pod).isPresent() ? PodGroups.this : others).seen(pod);
            }

            @Override
            public void gone(Pod last) {
                (PodGroup.of(last).isPresent() ? PodGroups.this : others).gone(last);
            }
        };
    }

    /** The group whose gang has this UID. */
    Optional<SeenJob> withUid(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    @Override
    public synchronized void seen(Pod pod) {
        PodGroup.Key key = PodGroup.of(pod).orElseThrow();
        Group group = groups.computeIfAbsent(key, fresh -> new Group());
        group.pods.put(pod.getMetadata().getUid(), GroupPod.of(pod));
        sort(key, group);
    }

    @Override
    public synchronized void gone(Pod last) {
        PodGroup.Key key = PodGroup.of(last).orElseThrow();
        Group group = groups.get(key);
        if (group != null && group.pods.remove(last.getMetadata().getUid()) != null) {
            sort(key, group);
            if (group.pods.isEmpty()) {
                groups.remove(key);
            }
        }
    }

    private void sort(PodGroup.Key key, Group group) {
        PodGrouping sorted = new PodGrouping(group.pods.values(), group.closed, group.waiting);
        group.closed = sorted.closed();
        group.waiting = sorted.waiting();
        Map<String, GangReading> readings = new TreeMap<>();
        Map<String, Members> gangs = new TreeMap<>();
        Map<String, PodFacts> facts = new TreeMap<>();
        sorted.gangs().forEach((uid, pods) -> {
            Members before = group.gangs.get(uid);
            Members now = before != null && before.pods().equals(pods) ? before : new Members(pods, ++version);
            gangs.put(uid, now);
            PodGroup gang = new PodGroup(key, uid, Long.toString(now.version()), pods);
            byUid.put(uid, new SeenJob(reader, gang));
            readings.put(uid, reader.read(gang, surroundings));
            pods.forEach(
                    one -> facts.put(one.uid(), PodReader.read(one.pod(), PodReader.ofGroup(one, uid), surroundings)));
        });
        sorted.alone().forEach(one -> readings.put(one.uid(), plain.read(one.pod(), surroundings)));
        sorted.surplus().forEach(one -> readings.put(one.uid(), GroupedPods.surplus(one.pod())));
        sorted.alone().forEach(one -> facts.put(one.uid(), PodReader.read(one.pod(), surroundings)));
        sorted.surplus().forEach(one -> facts.put(one.uid(), PodReader.read(one.pod(), surroundings)));
        group.gangs = gangs;
        tell(group, readings, facts);
    }

    /** Gangs first, then their pods, then what is gone. */
    private void tell(Group group, Map<String, GangReading> readings, Map<String, PodFacts> facts) {
        Map<String, GangReading> toldBefore = group.told;
        Map<String, PodFacts> podsBefore = group.toldOfPods;
        group.told = readings;
        group.toldOfPods = facts;
        readings.forEach((uid, reading) -> {
            if (!reading.equals(toldBefore.get(uid))) {
                events.accept(Event.of(reading));
                news.accept(uid);
            }
        });
        facts.forEach((uid, pod) -> {
            if (!pod.equals(podsBefore.get(uid))) {
                events.accept(new Event.PodSeen(pod));
            }
        });
        podsBefore.keySet().stream()
                .filter(uid -> !facts.containsKey(uid))
                .forEach(uid -> events.accept(new Event.PodDeleted(uid)));
        toldBefore.keySet().stream().filter(uid -> !readings.containsKey(uid)).forEach(uid -> {
            byUid.remove(uid);
            events.accept(new Event.GangDeleted(uid));
        });
    }
}
