package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Requirement;
import dev.muster.core.model.Requirement.Operator;
import dev.muster.core.model.Waiting;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a gang requires of its nodes' software, against what the node classes declare. */
class RequirementsTest {
    private final World world = World.synced();

    private void declared(String name, String driver) {
        world.engine.apply(new Event.ClassSeen(new NodeClass(
                name, Map.of("gpu", name), null, List.of(), World.GPU, Map.of("driver", driver), List.of(), null)));
    }

    private Gang requiring(String name, String driver) {
        Gang plain = world.gang(name, "a", 1, 8, 0);
        return new Gang(
                plain.uid(),
                plain.namespace(),
                name,
                "a",
                0,
                false,
                plain.submittedAt(),
                plain.podsets(),
                List.of(),
                List.of(new Requirement("driver", Operator.AT_LEAST, driver)),
                OptionalLong.empty());
    }

    @Test
    void c42_aGangThatNeedsDriver515IsNotAdmittedToAClassWith510_AndSaysSo() {
        declared("a100", "510");
        world.node("n1", "a100", 8).queue("a", Map.of("a100", 8L));

        Gang gang = world.submit(requiring("cuda-11-7", "515"));
        world.settle();

        assertThat(world.view(gang).waiting())
                .isEqualTo(new Waiting(
                        Reason.REQUIREMENT_UNMET,
                        "It requires driver>=515; a100 has 510.",
                        "Lower the requirement and submit again, or declare a node class that meets it."));
    }

    @Test
    void c42_whereAClassWith535IsThereButFull_ItWaitsForThatOne() {
        declared("a100", "510");
        declared("h100", "535");
        world.node("n1", "a100", 8).node("n2", "h100", 8).queue("a", Map.of("a100", 8L, "h100", 8L));
        Gang runs = world.submit(requiring("first", "535"));
        assertThat(World.admitted(world.settle())).containsExactly("first");

        Gang gang = world.submit(requiring("cuda-11-7", "515"));
        world.settle();

        assertThat(world.admission(runs).podsets().get(0).nodeClass()).isEqualTo("h100");
        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.QUOTA_EXHAUSTED);
        assertThat(world.view(gang).waiting().sentence()).contains("h100").doesNotContain("a100");
    }
}
