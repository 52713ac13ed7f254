package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.GpuNodeClassStatus;
import dev.muster.api.GpuNodeClassStatus.NodeList;
import dev.muster.api.TeamQueueStatus;
import dev.muster.core.decide.QueueMemory;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.Taint;
import dev.muster.engine.Views.NodeClassView;
import dev.muster.engine.Views.NodeView;
import dev.muster.engine.Views.QueueView;
import dev.muster.engine.Views.QuotaView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusesTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = Instant.parse("2026-01-01T13:00:00Z");
    private static final Taint TAINT = new Taint("nvidia.com/gpu", "present", Taint.Effect.NO_SCHEDULE);

    private static QueueView queue(String problem) {
        List<QuotaView> quotas = List.of(
                new QuotaView("h100", "nvidia.com/gpu", 16, 8, 24), new QuotaView("h100", "cpu", 2_000, 1_500, 0));
        return new QueueView("vision", "research", "lead", 1, quotas, 3, 1, 2, problem);
    }

    private static NodeFacts node(String name, Map<String, String> labels, List<Taint> taints) {
        return new NodeFacts(name, labels, taints, Amounts.of("nvidia.com/gpu", 8), true, false);
    }

    private static NodeClass nodeClass(String name, String product) {
        return new NodeClass(
                name, Map.of("product", product), TAINT, List.of(), "nvidia.com/gpu", Map.of(), List.of(), null);
    }

    @Test
    void aSoundQueueIsReady_AndSaysWhatIsUsed() {
        TeamQueueStatus status = Statuses.of(queue(""), QueueMemory.NONE, 3, List.of(), NOON);
        assertThat(status.waiting()).isEqualTo(3);
        assertThat(status.admitted()).isEqualTo(3);
        assertThat(status.usage().stream().map(u -> u.resource() + " " + u.used() + " of " + u.nominal()))
                .containsExactly("nvidia.com/gpu 8 of 16", "cpu 1500m of 2");
        assertThat(status.conditions()).singleElement().satisfies(ready -> {
            assertThat(ready.getStatus()).isEqualTo("True");
            assertThat(ready.getLastTransitionTime()).isEqualTo("2026-01-01T12:00:00Z");
        });
    }

    @Test
    void anUnchangedQueue_HasAnEqualStatus_HoweverLate() {
        TeamQueueStatus first = Statuses.of(queue(""), QueueMemory.NONE, 3, List.of(), NOON);
        assertThat(Statuses.of(queue(""), QueueMemory.NONE, 3, first.conditions(), LATER))
                .isEqualTo(first);
    }

    @Test
    void aBrokenQueue_SaysHow_AndSinceWhen() {
        TeamQueueStatus first = Statuses.of(queue(""), QueueMemory.NONE, 3, List.of(), NOON);
        TeamQueueStatus broken = Statuses.of(
                queue("its parent research does not exist"), QueueMemory.NONE, 3, first.conditions(), LATER);
        assertThat(broken.conditions()).singleElement().satisfies(ready -> {
            assertThat(ready.getStatus()).isEqualTo("False");
            assertThat(ready.getReason()).isEqualTo("Broken");
            assertThat(ready.getMessage()).isEqualTo("its parent research does not exist");
            assertThat(ready.getLastTransitionTime()).isEqualTo("2026-01-01T13:00:00Z");
        });
    }

    @Test
    void oddNodesAreNamed_InNoClass_InTwo_OrWithoutTheTaint() {
        // given
        NodeClass h100 = nodeClass("h100", "H100");
        List<NodeClass> classes = List.of(h100, nodeClass("again", "H100"));
        List<NodeFacts> nodes = List.of(
                node("twice", Map.of("product", "H100"), List.of(TAINT)),
                node("bare", Map.of("product", "H100"), List.of()),
                node("stray", Map.of(), List.of(TAINT)));
        List<NodeView> fleet = List.of(new NodeView("bare", true, 8, 4), new NodeView("twice", false, 8, 8));
        NodeClassView view = new NodeClassView("h100", "nvidia.com/gpu", 2, 1, 16, 4, 3, fleet, List.of());
        // when
        GpuNodeClassStatus status = Statuses.of(h100, view, List.of(), classes, nodes, 1, List.of(), NOON);
        // then
        assertThat(status.unclassified()).isEqualTo(new NodeList(1, List.of("stray")));
        assertThat(status.ambiguous()).isEqualTo(new NodeList(2, List.of("bare", "twice")));
        assertThat(status.untainted()).isEqualTo(new NodeList(1, List.of("bare")));
        assertThat(status.gpus()).isEqualTo(new GpuNodeClassStatus.Gpus(16L, 4L));
        assertThat(status.missingNodes()).isEqualTo(3);
        assertThat(status.conditions())
                .extracting("type", "status")
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("Ready", "True"),
                        org.assertj.core.groups.Tuple.tuple("Consistent", "False"));
    }
}
