package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Phase;
import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Trouble;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Cases from the field about the life of jobs and nodes, each with its number and its smallest input. */
class LifeFieldCasesTest {
    private static final long SECOND = 1_000;

    private final World world = new World(EngineSettings.DEFAULT.with(EngineSettings.Telling.NOBODY))
            .nodeClass("h100")
            .queue("vision", 16)
            .node("n1", "h100", 8);

    LifeFieldCasesTest() {
        world.engine.apply(new Event.Synced(World.FENCE));
    }

    private Gang running(String name) {
        Gang gang = world.submit(name, "vision", 1, 8);
        assertThat(World.admitted(world.settle())).containsExactly(name);
        world.run(gang);
        world.settle();
        return gang;
    }

    private void node(String name, Map<String, String> labels, long gpus, boolean cordoned) {
        NodeFacts well = World.nodeFacts(name, "h100", gpus);
        world.engine.apply(
                new Event.NodeSeen(new NodeFacts(name, labels, List.of(), well.allocatable(), true, cordoned)));
    }

    private Views.NodeClassView nodeClass() {
        return world.engine.views().nodeClasses().get(0);
    }

    @Test
    void c17_whatIsBeingDeletedNeverWaitsAnew_AlsoAfterARestart() {
        // given a gang on n1 whose deletion cannot end there
        Gang stuck = running("stuck");
        world.report(stuck.uid(), Acknowledged.YES, 1, 0, End.LEAVING);
        node("n1", Map.of("gpu", "h100"), 8, true);
        // when Muster restarts
        World next = world.restarted();
        next.node("n2", "h100", 8);
        next.submit("new", "vision", 1, 8);
        // then it neither waits nor starts, and what its pod holds stays held
        assertThat(World.admitted(next.settle())).containsExactly("new");
        assertThat(next.view(stuck).state()).isEqualTo(GangState.FINISHED);
        assertThat(next.engine.views().queue("vision").orElseThrow().waiting()).isZero();
        assertThat(next.engine
                        .views()
                        .queue("vision")
                        .orElseThrow()
                        .quotas()
                        .get(0)
                        .used())
                .isEqualTo(16);
    }

    @Test
    void c22_aJobThatRanIsResumed_AndItsTimesCountFromTheResume() {
        // given a job that has run, and was stopped because its node was drained
        Gang gang = running("train");
        world.now += 3_600 * SECOND;
        world.engine.apply(new Event.NodeDeleted("n1"));
        world.settle();
        world.now += EngineSettings.Life.DEFAULT.blink();
        world.settle();
        world.leave(gang);
        world.settle();
        // when there is room again
        world.node("n1", "h100", 8);
        assertThat(World.admitted(world.settle())).containsExactly("train");
        // then its start has all its time again, and it runs
        long again = world.admission(gang).admittedAt();
        world.now = again + EngineSettings.Life.DEFAULT.start() - 1;
        assertThat(world.settle()).isEmpty();
        world.run(gang);
        assertThat(world.settle()).singleElement().isInstanceOf(Action.Mark.class);
        assertThat(world.admission(gang).attempt()).isEqualTo(2);
    }

    @Test
    void c24_tenMembersOnAQuotaOfNineAreNotStartedInPart() {
        // given room for nine members of one GPU, and quota for nine
        World nine = new World().nodeClass("h100").queue("vision", 9).node("n1", "h100", 16);
        nine.engine.apply(new Event.Synced(World.FENCE));
        // when ten are submitted
        Gang ten = nine.submit("ten", "vision", 10, 1);
        // then the job is neither admitted nor started
        assertThat(nine.settle()).isEmpty();
        assertThat(nine.statuses.get(ten.uid()).admission()).isNull();
        assertThat(nine.statuses.get(ten.uid()).suspended()).isTrue();
    }

    @Test
    void c29_whileAnOldMemberStops_ItsNodeIsNotGivenAway_AndItsReplacementIsChargedBesideIt() {
        // given J: 1 pod of 8 GPUs with 15 minutes of grace on n1, which is deleted
        Gang j = running("j");
        PodFacts old = world.member(j, "main", 0, "n1", Phase.STOPPING);
        world.putPod(old);
        world.submit("k", "vision", 1, 8);
        // when a minute has passed
        world.now += 60 * SECOND;
        // then nobody else gets the node
        assertThat(world.settle()).isEmpty();
        assertThat(nodeClass().freeGpus()).isZero();
        // and should the replacement exist beside the old one, both are charged
        world.node("n2", "h100", 8);
        world.putPod(world.member(j, "main", 1, "n2", Phase.READY));
        assertThat(World.admitted(world.settle())).isEmpty();
        assertThat(world.used("vision")).isEqualTo(16);
    }

    @Test
    void c34_labelsThatVanishForAMinuteChangeNothing_AndAfterTwoTheNodeLeavesItsClass() {
        // given J on n1, and n2 free
        Gang j = running("j");
        world.node("n2", "h100", 8);
        world.settle();
        // when the labels of n2 vanish, and K comes
        node("n1", Map.of(), 8, false);
        node("n2", Map.of(), 8, false);
        world.settle();
        Gang k = world.submit("k", "vision", 1, 8);
        world.now += 60 * SECOND;
        // then J is untouched, the class is as large as before, and K is not admitted
        assertThat(world.settle()).isEmpty();
        assertThat(world.view(j).state()).isEqualTo(GangState.RUNNING);
        assertThat(nodeClass().nodes()).isEqualTo(2);
        assertThat(nodeClass().gpus()).isEqualTo(16);
        assertThat(world.view(k).state()).isEqualTo(GangState.WAITING);
        assertThat(nodeClass().fleet().get(1).oddity()).isEqualTo("its labels are gone");
        // and when they return, K starts
        node("n1", Map.of("gpu", "h100"), 8, false);
        node("n2", Map.of("gpu", "h100"), 8, false);
        assertThat(World.admitted(world.settle())).containsExactly("k");
        // but labels that stay away take the node out of the class
        node("n2", Map.of(), 8, false);
        world.settle();
        world.now += EngineSettings.Life.DEFAULT.blink();
        world.settle();
        assertThat(nodeClass().nodes()).isEqualTo(1);
        assertThat(world.view(j).state()).isEqualTo(GangState.RUNNING);
    }

    @Test
    void c35_aNodeWithoutGpusForAWhileStillTakesWhatAsksForNone_AndItsGangIsLeftAlone() {
        // given J on all 8 GPUs of n1
        Gang j = running("j");
        // when the device plugin goes
        node("n1", Map.of("gpu", "h100"), 0, false);
        world.settle();
        // then J is left alone, free is not below zero, and the node still has room for what needs no GPU
        world.now += 3_600 * SECOND;
        assertThat(world.settle()).isEmpty();
        assertThat(world.view(j).state()).isEqualTo(GangState.RUNNING);
        assertThat(nodeClass().freeGpus()).isZero();
        Gang launcher = world.wishing("launcher", "vision", 1, 0, "h100");
        world.submit(launcher);
        assertThat(World.admitted(world.settle())).containsExactly("launcher");
        assertThat(world.admission(launcher).podsets().get(0).nodes().get(0).node())
                .isEqualTo("n1");
    }

    @Test
    void c36_gpusThatDropToNothingFor30SecondsCostNobodyAnything() {
        // given J on n1, and K that waits
        Gang j = running("j");
        Gang k = world.submit("k", "vision", 1, 8);
        world.settle();
        Amounts charge = world.admission(j).podsets().get(0).perMember();
        // when a kubelet restart takes all GPUs away for 30 s
        node("n1", Map.of("gpu", "h100"), 0, false);
        assertThat(world.settle()).isEmpty();
        world.now += 30 * SECOND;
        assertThat(world.settle()).isEmpty();
        node("n1", Map.of("gpu", "h100"), 8, false);
        // then nobody was stopped, nobody was admitted, and the charge is what it was
        assertThat(world.settle()).isEmpty();
        assertThat(world.view(j).state()).isEqualTo(GangState.RUNNING);
        assertThat(world.view(k).state()).isEqualTo(GangState.WAITING);
        assertThat(world.admission(j).podsets().get(0).perMember()).isEqualTo(charge);
    }

    @Test
    void c36_whoWasPlacedJustBeforeAndIsRefusedIsTriedAgainWithoutUsingUpARetry() {
        // given K that was placed on n1 just before its GPUs dropped to 0, and is refused by the kubelet
        Gang k = world.submit("k", "vision", 1, 8);
        world.settle();
        node("n1", Map.of("gpu", "h100"), 0, false);
        world.putPod(world.member(k, "main", 0, "n1", Phase.ENDED)
                .telling(PodReport.of(Trouble.REFUSED, 0, "UnexpectedAdmissionError", "0 healthy devices")
                        .in(1)));
        // when the GPUs come back after 30 s, and its job makes a new pod
        assertThat(world.settle()).isEmpty();
        world.now += 30 * SECOND;
        node("n1", Map.of("gpu", "h100"), 8, false);
        world.putPod(world.member(k, "main", 1, "n1", Phase.READY));
        // then it runs, in its own place, and nothing is held against it or the node
        assertThat(world.settle()).singleElement().isInstanceOf(Action.Mark.class);
        assertThat(world.statuses.get(k.uid()).marks().past().failures()).isZero();
        assertThat(nodeClass().fleet().get(0).struck()).isFalse();
    }
}
