package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.Reason;
import dev.muster.engine.Action;
import dev.muster.engine.Event.Refusal;
import dev.muster.jobs.GroupPod;
import dev.muster.jobs.PodGroup;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is written on which pods of a group, and what is left when a write is refused. */
class GroupWritesTest {
    private static final String PLACED = ", muster.dev/gang-uid: g, muster.dev/podset: main";

    private final List<String> sent = new ArrayList<>();
    private final Set<String> stale = new HashSet<>();
    private final GroupWrites writes = new GroupWrites(
            new Recorded(),
            new JobSight(),
            Clock.fixed(Instant.parse("2026-11-30T12:00:00Z"), ZoneOffset.UTC),
            nodeClass -> List.of());

    @Test
    void anAdmissionIsWrittenOnEachPodWithItsPlace_AndEndsWhereOneIsRefused() throws WriteFailed {
        PodGroup group = group(pod("a", "", ""), pod("b", "", ""), pod("c", "", ""));
        String podset = group.pods().get(0).podset();
        JobChange admit = new JobChange.Admit(admission(podset));

        writes.write(group, action("1"), admit, "f/1");
        assertThat(sent).containsExactly("patch a ungated", "patch b ungated", "patch c ungated");
        // when one has changed meanwhile, those after it are left for later
        sent.clear();
        stale.add("b");
        assertThatThrownBy(() -> writes.write(group, action("1"), admit, "f/1"))
                .isInstanceOfSatisfying(
                        WriteFailed.class,
                        failed -> assertThat(failed.refusal()).isEqualTo(Refusal.STALE));
        assertThat(sent).containsExactly("patch a ungated");
        // and each gets its place by itself then
        sent.clear();
        stale.clear();
        Pod late = group.pods().get(1).pod();
        writes.place(group, late, new JobChange.Admit(admission(podset)), "f/1");
        assertThat(sent).containsExactly("patch b ungated");
    }

    @Test
    void aStopDeletesThePodsThatHaveAPlaceAndGoOn_AndNoOthers() throws WriteFailed {
        PodGroup group = group(
                pod("a", PLACED, "status: {phase: Running}"),
                pod("b", PLACED, "status: {phase: Succeeded}"),
                leaving(pod("c", PLACED, "status: {phase: Running}")),
                pod("d", PLACED, "status: {phase: Pending}"),
                pod("e", "", ""));

        writes.write(group, action("1"), new JobChange.Stop(Reason.PREEMPTED, "why"), "f/1");

        assertThat(sent).containsExactly("patch a", "delete a", "patch d", "delete d");
    }

    @Test
    void whatIsSaidOnceStandsOnTheFirstPod() throws WriteFailed {
        PodGroup group = group(pod("b", "", ""), pod("a", "", ""));

        writes.write(group, action("1"), new JobChange.Explain(Reason.QUOTA_EXHAUSTED, 0, "why"), "f/1");

        assertThat(sent).containsExactly("patch a");
    }

    @Test
    void aDecisionAboutAnotherStateOfTheGroupIsNotWritten() {
        PodGroup group = group(pod("a", "", ""));

        assertThatThrownBy(() -> writes.write(
                        group, action("0"), new JobChange.Explain(Reason.QUOTA_EXHAUSTED, 0, "why"), "f/1"))
                .hasMessage("the group has changed since the decision");
        assertThat(sent).isEmpty();
    }

    private static Admission admission(String podset) {
        return new Admission(
                1, 1, 7, List.of(new PodSetPlace(podset, "h100", Amounts.NONE, List.of(new NodeSlots("n1", 3)))));
    }

    private static Action action(String version) {
        return new Action.DropClaim(new Action.Target("g", "ns", "train", version));
    }

    private static PodGroup group(Pod... pods) {
        return new PodGroup(
                new PodGroup.Key("ns", "q", "train"),
                "g",
                "1",
                List.of(pods).stream().map(GroupPod::of).toList());
    }

    private static Pod leaving(Pod pod) {
        pod.getMetadata().setDeletionTimestamp("2026-11-30T12:00:00Z");
        return pod;
    }

    private static Pod pod(String name, String annotations, String status) {
        return Serialization.unmarshal(
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %1$s
                  namespace: ns
                  uid: u-%1$s
                  resourceVersion: "5"
                  labels: {muster.dev/queue: q, muster.dev/pod-gang: "true", muster.dev/pod-group: train}
                  annotations: {muster.dev/pod-group-size: "3"%2$s}
                spec: {%3$s containers: [{name: c, image: i}]}
                %4$s
                """.formatted(
                                name,
                                annotations,
                                annotations.isEmpty() ? "schedulingGates: [{name: muster.dev/place}]," : "",
                                status),
                Pod.class);
    }

    /** An API server that takes all but the stale writes. */
    private final class Recorded implements Calls {
        @Override
        public HasMetadata patchJob(KindName kind, String namespace, String name, String mergePatch)
                throws WriteFailed {
            if (stale.contains(name)) {
                throw new WriteFailed(Refusal.STALE, "it has changed", null);
            }
            assertThat(mergePatch).contains("\"resourceVersion\":\"5\"").contains("\"muster.dev/fence\":\"f/1\"");
            sent.add("patch " + name + (mergePatch.contains("\"schedulingGates\":null") ? " ungated" : ""));
            return GroupWritesTest.pod(name, PLACED, "");
        }

        @Override
        public boolean wouldAccept(KindName kind, String namespace, String name, String fence) {
            throw new UnsupportedOperationException("nobody asks");
        }

        @Override
        public Optional<HasMetadata> job(KindName kind, String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public Optional<Pod> pod(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public Pod patchPod(String namespace, String name, String jsonPatch) {
            throw new UnsupportedOperationException("pods of groups are merged into");
        }

        @Override
        public void deletePod(String namespace, String name, String resourceVersion) {
            sent.add("delete " + name);
        }

        @Override
        public void event(HasMetadata regarding, Note note) {
            throw new UnsupportedOperationException("nobody is told here");
        }
    }
}
