package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.PodFacts.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs whose completions outnumber the members that run at the same time: 100 completions, 4 at a time. */
class WavesTest {
    private static final int COMPLETIONS = 100;

    private final World world = World.synced()
            .nodeClass("h100")
            .queue("vision", 32)
            .node("n1", "h100", 8)
            .node("n2", "h100", 8);
    private final Gang gang;
    private int nextPod;

    /** Four members of 4 GPUs on two nodes of 8. */
    WavesTest() {
        gang = world.submit("waves", "vision", 4, 4);
        world.settle();
    }

    private void succeeded(int succeeded) {
        GangStatus old = world.statuses.get(gang.uid());
        world.show(
                gang.uid(),
                new GangStatus(
                        world.next(),
                        old.suspended(),
                        GangStatus.Acknowledged.YES,
                        Math.min(4, COMPLETIONS - succeeded),
                        0,
                        Map.of("main", Math.min(4, COMPLETIONS - succeeded)),
                        old.end(),
                        old.state(),
                        old.admission(),
                        old.fence(),
                        old.marks()));
        world.settle();
    }

    private int start(String node) {
        world.putPod(world.member(gang, "main", nextPod, node, Phase.READY));
        return nextPod++;
    }

    private void end(int pod, String node) {
        world.putPod(world.member(gang, "main", pod, node, Phase.ENDED));
    }

    private List<Long> free() {
        return world.engine.views().nodeClasses().get(0).fleet().stream()
                .map(Views.NodeView::freeGpus)
                .toList();
    }

    @Test
    void itHoldsFourPlacesThroughAllWavesUntilFewerThanFourRemain() {
        int[] pods = {start("n1"), start("n1"), start("n2"), start("n2")};
        String[] nodes = {"n1", "n1", "n2", "n2"};
        for (int done = 1; done <= COMPLETIONS - 4; done++) {
            int slot = done % 4;
            end(pods[slot], nodes[slot]);
            succeeded(done);
            assertThat(world.used("vision"))
                    .describedAs("%d done, the next not there yet", done)
                    .isEqualTo(16);
            assertThat(free()).describedAs("%d done", done).containsExactly(0L, 0L);
            pods[slot] = start(nodes[slot]);
            world.settle();
            assertThat(free()).containsExactly(0L, 0L);
        }

        end(pods[0], "n1");
        succeeded(97);
        assertThat(world.used("vision")).isEqualTo(12);
        assertThat(free()).containsExactly(4L, 0L);
        end(pods[2], "n2");
        end(pods[3], "n2");
        succeeded(99);
        assertThat(world.used("vision")).isEqualTo(4);
        assertThat(free()).containsExactly(4L, 8L);
    }

    @Test
    void itIsNeverChargedForFewerMembersThanLive() {
        start("n1");
        start("n1");
        start("n2");
        start("n2");
        succeeded(99);

        assertThat(world.used("vision"))
                .describedAs("the status is ahead of the pods")
                .isEqualTo(16);
    }

    @Test
    void aSlotThatIsFreeBetweenTwoWavesIsKeptFromOthers() {
        int first = start("n1");
        start("n1");
        start("n2");
        start("n2");
        end(first, "n1");
        succeeded(1);
        Gang other = world.submit("other", "vision", 1, 4);

        assertThat(world.settle()).isEmpty();
        assertThat(world.sentence(other))
                .isEqualTo("It needs 1 x 4 GPUs; 0 GPUs are free on the 2 usable nodes of class h100.");
    }
}
