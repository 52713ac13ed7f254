package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Marks;
import dev.muster.core.model.PodFacts.Membership;
import dev.muster.engine.Event;
import dev.muster.engine.Event.Refusal;
import dev.muster.jobs.BatchJobs;
import dev.muster.jobs.DescribedJobs;
import dev.muster.kinds.GangKind;
import dev.muster.kinds.KindName;
import dev.muster.kinds.ShippedKinds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Whose members pods are, by the chain of their owners; owners are looked up when {@link Later} runs. */
class MembersTest {
    private final List<Event> events = new ArrayList<>();
    private final Map<String, HasMetadata> stored = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final Later later = new Later();
    private final JobSight jobs = new JobSight();
    private final Watch<Job> batch =
            new Watch<>("jobs", () -> null, null, job -> {}, UnaryOperator.identity(), ignored(Job.class));
    private final Watch<GenericKubernetesResource> sets = new Watch<>(
            "jobsets", () -> null, null, job -> {}, UnaryOperator.identity(), ignored(GenericKubernetesResource.class));
    private final Members members = new Members(
            events::add, jobs, new Owners(new Stored(), jobs, ShippedKinds.all().owners(), later), new Around());

    MembersTest() {
        GangKind kind = (GangKind)
                ShippedKinds.all().named("jobset.x-k8s.io/v1alpha2", "JobSet").orElseThrow();
        jobs.add(new BatchJobs(), Job.class, batch);
        jobs.add(new DescribedJobs(kind), GenericKubernetesResource.class, sets);
    }

    @Test
    void aPodOfAJobThatIsSeenIsItsMemberAtOnce() {
        batch.observe(Serialization.unmarshal(job("j1", "train", ""), Job.class));

        members.seen(pod("Job", "train", "j1", ""));

        assertThat(memberships()).containsExactly(new Membership("j1", "main", "", ""));
        assertThat(asked).isEmpty();
    }

    @Test
    void aPodOfAChildJobBelongsToTheJobSetAbove_OnceItsOwnerWasReadOnce() {
        // given a JobSet, and a child Job that nobody watches
        sets.observe(Serialization.unmarshal(jobSet(), GenericKubernetesResource.class));
        stored.put("train-workers-0", Serialization.unmarshal(job("j2", "train-workers-0", "s1"), Job.class));
        // when two of its pods are seen
        members.seen(pod("Job", "train-workers-0", "j2", "workers"));
        members.seen(pod("Job", "train-workers-0", "j2", "workers"));
        // then nothing is said before the owner was read
        assertThat(events).isEmpty();
        later.run();
        assertThat(memberships())
                .containsExactly(new Membership("s1", "workers", "", ""), new Membership("s1", "workers", "", ""));
        assertThat(asked).containsExactly("jobs.batch train-workers-0");
    }

    @Test
    void aPodWaitsForItsGangToBeSeen() {
        stored.put("train-workers-0", Serialization.unmarshal(job("j2", "train-workers-0", "s1"), Job.class));
        stored.put("train", Serialization.unmarshal(jobSet(), GenericKubernetesResource.class));
        members.seen(pod("Job", "train-workers-0", "j2", "workers"));
        later.run();
        assertThat(events).isEmpty();

        sets.observe(Serialization.unmarshal(jobSet(), GenericKubernetesResource.class));
        members.news();

        assertThat(memberships()).containsExactly(new Membership("s1", "workers", "", ""));
    }

    @Test
    void anOwnerOfThisNameButAnotherUidIsNoOwner_AndTheOrphanIsChargedToWhomItNames() {
        stored.put("train", Serialization.unmarshal(job("j9", "train", ""), Job.class));
        members.seen(pod("Job", "train", "j2", ""));
        later.run();

        assertThat(memberships()).containsExactly(new Membership("j2", "main", "", ""));
    }

    @Test
    void withoutAnAnswerItIsAskedAgain_AndAPodThatGoesMeanwhileIsForgotten() {
        stored.put("train-workers-0", Serialization.unmarshal(job("j2", "train-workers-0", "s1"), Job.class));
        sets.observe(Serialization.unmarshal(jobSet(), GenericKubernetesResource.class));
        Pod kept = pod("Job", "train-workers-0", "j2", "workers");
        Pod lost = pod("Job", "train-workers-0", "j2", "workers");
        silent = true;
        members.seen(kept);
        members.seen(lost);
        later.run();
        assertThat(events).isEmpty();

        silent = false;
        members.gone(lost);
        later.run();

        assertThat(memberships()).containsExactly(new Membership("s1", "workers", "", ""));
    }

    @Test
    void aPodThatWasPlacedIsKnownByItsStamps() {
        Pod pod = pod("Job", "train-workers-0", "j2", "workers");
        pod.getMetadata()
                .setAnnotations(Map.of(
                        Marks.GANG_UID,
                        "s1",
                        Marks.PODSET,
                        "workers",
                        Marks.CHARGED_QUEUE,
                        "q",
                        Marks.NODE_CLASS,
                        "h"));

        members.seen(pod);

        assertThat(memberships()).containsExactly(new Membership("s1", "workers", "q", "h"));
        assertThat(asked).isEmpty();
    }

    private boolean silent;
    private int pods;

    private List<Membership> memberships() {
        return events.stream()
                .map(event -> ((Event.PodSeen) event).pod().membership())
                .toList();
    }

    private Pod pod(String kind, String owner, String uid, String replicatedJob) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: p%1$d
                  namespace: ns
                  uid: p%1$d
                  labels: {muster.dev/managed: "true", jobset.sigs.k8s.io/replicatedjob-name: "%5$s"}
                  ownerReferences: [{apiVersion: batch/v1, kind: %2$s, name: %3$s, uid: %4$s, controller: true}]
                spec: {schedulingGates: [{name: muster.dev/place}], containers: [{name: c, image: i}]}
                """.formatted(++pods, kind, owner, uid, replicatedJob), Pod.class);
    }

    private static String job(String uid, String name, String jobSet) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %s
                  namespace: ns
                  uid: %s
                  resourceVersion: "1"
                  labels: {%s}
                  ownerReferences: [%s]
                spec: {template: {spec: {containers: []}}}
                """.formatted(
                        name,
                        uid,
                        jobSet.isEmpty() ? "muster.dev/managed: \"true\"" : "muster.dev/child: \"true\"",
                        jobSet.isEmpty()
                                ? ""
                                : "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train, uid: " + jobSet
                                        + ", controller: true}");
    }

    private static String jobSet() {
        return """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: train, namespace: ns, uid: s1, resourceVersion: "1", labels: {muster.dev/managed: "true"}}
                spec: {replicatedJobs: [{name: workers, template: {spec: {template: {spec: {containers: []}}}}}]}
                """;
    }

    private static <T> Watched.Sink<T> ignored(Class<T> ignoredType) {
        return new Watched.Sink<>() {
            @Override
            public void seen(T object) {}

            @Override
            public void gone(T last) {}
        };
    }

    /** What is stored, by name. */
    private final class Stored implements Calls {
        @Override
        public Optional<HasMetadata> job(KindName kind, String namespace, String name) throws WriteFailed {
            if (silent) {
                throw new WriteFailed(Refusal.UNKNOWN, "no answer", null);
            }
            asked.add(kind.resource() + " " + name);
            return Optional.ofNullable(stored.get(name));
        }

        @Override
        public HasMetadata patchJob(KindName kind, String namespace, String name, String mergePatch) {
            throw new UnsupportedOperationException("nothing is written");
        }

        @Override
        public boolean wouldAccept(KindName kind, String namespace, String name, String fence) {
            throw new UnsupportedOperationException("nothing is written");
        }

        @Override
        public Optional<Pod> pod(String namespace, String name) {
            throw new UnsupportedOperationException("no pod is read");
        }

        @Override
        public Pod patchPod(String namespace, String name, String jsonPatch) {
            throw new UnsupportedOperationException("nothing is written");
        }

        @Override
        public void deletePod(String namespace, String name, String resourceVersion) {
            throw new UnsupportedOperationException("nothing is written");
        }

        @Override
        public void event(HasMetadata regarding, Note note) {
            throw new UnsupportedOperationException("nobody is told");
        }
    }

    /** A worker that runs its tasks when it is told to; what is put off waits for the next time. */
    private static final class Later implements Owners.Worker {
        private final List<Runnable> due = new ArrayList<>();

        void run() {
            List<Runnable> now = List.copyOf(due);
            due.clear();
            now.forEach(Runnable::run);
        }

        @Override
        public void run(Runnable task, long afterMillis) {
            due.add(task);
        }

        @Override
        public void close() {}
    }
}
