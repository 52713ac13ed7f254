package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Phase;
import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Trouble;
import dev.muster.core.model.Reason;
import java.util.List;

/** Gangs of members of 8 GPUs on three nodes, with the usual bounds. */
abstract class OnThreeNodes {
    static final long SECOND = 1_000;
    static final long MINUTE = 60 * SECOND;
    static final EngineSettings.Life LIFE = EngineSettings.Life.DEFAULT;
    static final PodReport PULL =
            PodReport.of(Trouble.IMAGE, 0, "ImagePullBackOff", "Back-off pulling image \"trainer:typo\"");
    static final PodReport REFUSED =
            PodReport.of(Trouble.REFUSED, 0, "UnexpectedAdmissionError", "no healthy devices present");

    World world = fleet(EngineSettings.DEFAULT.with(EngineSettings.Telling.NOBODY));

    static World fleet(EngineSettings settings) {
        World world = new World(settings)
                .nodeClass("h100")
                .queue("vision", 32)
                .node("n1", "h100", 8)
                .node("n2", "h100", 8)
                .node("n3", "h100", 8);
        world.engine.apply(new Event.Synced(World.FENCE));
        return world;
    }

    final Gang admitted(String name, int members) {
        Gang gang = world.submit(name, "vision", members, 8);
        assertThat(World.admitted(world.settle())).contains(name);
        return gang;
    }

    final Gang running(String name, int members) {
        Gang gang = admitted(name, members);
        world.run(gang);
        world.settle();
        assertThat(world.view(gang).state()).isEqualTo(GangState.RUNNING);
        return gang;
    }

    final String nodeOf(Gang gang, int rank) {
        return world.admission(gang).podsets().get(0).nodeOfRank(rank);
    }

    final PodFacts member(Gang gang, int rank, Phase phase, PodReport report) {
        int attempt = world.admission(gang).attempt();
        PodFacts pod =
                world.member(gang, "main", rank, nodeOf(gang, rank), phase).telling(report.in(attempt));
        world.putPod(pod);
        return pod;
    }

    final Action.Stop stop(List<Action> actions) {
        List<Action.Stop> stops = actions.stream()
                .filter(Action.Stop.class::isInstance)
                .map(Action.Stop.class::cast)
                .toList();
        assertThat(stops).as("stops among " + actions).hasSize(1);
        return stops.get(0);
    }

    /** The job's controller never said that it had taken the admission up, so the charge ends only after a while. */
    final void leave(Gang gang) {
        world.leave(gang);
        world.settle();
        world.now += EngineSettings.DEFAULT.stopAcknowledgement();
    }

    final PastRuns past(Gang gang) {
        return world.statuses.get(gang.uid()).marks().past();
    }

    /** One start that fails because of its image. */
    final void failByImage(Gang gang) {
        member(gang, 0, Phase.PENDING, PULL);
        world.settle();
        world.now += LIFE.trouble();
        assertThat(stop(world.settle()).reason()).isEqualTo(Reason.START_FAILED);
        leave(gang);
        world.settle();
    }

    /** The node is not ready for so long that it is lost. */
    final void lose(String node) {
        NodeFacts well = World.nodeFacts(node, "h100", 8);
        world.engine.apply(
                new Event.NodeSeen(new NodeFacts(node, well.labels(), List.of(), well.allocatable(), false, false)));
        world.settle();
        world.now += LIFE.blink();
        world.settle();
    }

    final Views.NodeView node(String name) {
        return world.engine.views().nodeClasses().get(0).fleet().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
