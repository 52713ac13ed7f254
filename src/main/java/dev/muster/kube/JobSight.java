package dev.muster.kube;

import dev.muster.jobs.JobReader;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The managed jobs of all kinds that are on, as seen last. A job's UID alone says which kind it is of; of each kind there is
 * one watch. Groups of pods are found by their gangs' UIDs. Asked and changed from any thread.
 */
final class JobSight {
    private final Map<String, Of<?>> kinds = new ConcurrentSkipListMap<>();

    private volatile Function<String, Optional<SeenJob>> groups = uid -> Optional.empty();

    private record Of<T extends HasMetadata>(JobReader reader, Class<T> type, Watch<T> watch) {
        Optional<SeenJob> withUid(String uid) {
            return watch.watched().withUid(uid).map(job -> new SeenJob(reader, job));
        }

        void observe(HasMetadata job) {
            watch.observe(type.cast(job));
        }

        void again(Predicate<HasMetadata> chosen) {
            watch.watched().again(chosen::test);
        }
    }

    /** Jobs of this kind are seen through this watch from now on. */
    <T extends HasMetadata> void add(JobReader reader, Class<T> type, Watch<T> watch) {
        kinds.put(reader.name().id(), new Of<>(reader, type, watch));
    }

    /** Groups of pods are found here, by the UIDs of their gangs. */
    void addGroups(Function<String, Optional<SeenJob>> byUid) {
        groups = byUid;
    }

    /** Jobs of this kind are seen no more. */
    void remove(KindName kind) {
        kinds.remove(kind.id());
    }

    /** The job with this UID. */
    Optional<SeenJob> withUid(String uid) {
        return kinds.values().stream()
                .flatMap(kind -> kind.withUid(uid).stream())
                .findFirst()
                .or(() -> groups.apply(uid));
    }

    /** All of them. */
    List<SeenJob> all() {
        return kinds.values().stream()
                .flatMap(kind -> kind.watch().watched().all().stream().map(job -> new SeenJob(kind.reader(), job)))
                .toList();
    }

    /** Takes news of a job that came by another way than its watch. */
    void observe(KindName kind, HasMetadata job) {
        Of<?> of = kinds.get(kind.id());
        if (of != null) {
            of.observe(job);
        }
    }

    /** Passes on again what is known of the chosen jobs, because what they are read with has changed. */
    void again(Predicate<HasMetadata> chosen) {
        kinds.values().forEach(kind -> kind.again(chosen));
    }
}
