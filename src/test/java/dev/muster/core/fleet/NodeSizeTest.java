package dev.muster.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.share.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodeSizeTest {
    private static final String GPU = "nvidia.com/gpu";

    static LongStream seeds() {
        return Seeds.all();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_size_of_a_class_is_the_most_that_its_largest_node_ever_offered_while_it_was_there(long seed) {
        Random random = new Random(seed);
        Fleet fleet = new Fleet();
        fleet.put(new NodeClass("h100", Map.of("gpu", "h100"), null, List.of(), GPU, Map.of(), List.of(), null));
        TreeMap<String, Long> most = new TreeMap<>();
        for (int step = 0; step < 60; step++) {
            String name = "n" + random.nextInt(6);
            if (random.nextInt(4) == 0) {
                fleet.remove(name);
                most.remove(name);
            } else {
                long gpus = random.nextInt(9);
                Amounts offers = Amounts.of(Map.of(GPU, gpus));
                fleet.put(new NodeFacts(name, Map.of("gpu", "h100"), List.of(), offers, true, false));
                most.merge(name, gpus, Math::max);
            }
            if (random.nextBoolean()) {
                long largest =
                        most.values().stream().mapToLong(gpus -> gpus).max().orElse(0);

                assertThat(fleet.nodeSize("h100"))
                        .as("seed " + seed + ", step " + step + ", " + most)
                        .isEqualTo(Amounts.of(Map.of(GPU, largest)));
            }
        }
    }
}
