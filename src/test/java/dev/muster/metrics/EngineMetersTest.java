package dev.muster.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.engine.Views;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EngineMetersTest {
    /** One node class that grows, and queues with a quota for each of so many classes. */
    private record Given(int missingNodes, int queueCount, int quotaCount) implements Views {
        Given(int missingNodes) {
            this(missingNodes, 1, 1);
        }

        @Override
        public List<QueueView> queues() {
            return IntStream.range(0, queueCount).mapToObj(this::queueOf).toList();
        }

        private QueueView queueOf(int number) {
            return new QueueView(
                    number == 0 ? "vision" : "vision" + number,
                    null,
                    "vision-leads",
                    1,
                    IntStream.range(0, quotaCount)
                            .mapToObj(i -> new QuotaView(i == 0 ? "h100" : "h" + i, "nvidia.com/gpu", 16, 8, 24))
                            .toList(),
                    3,
                    1,
                    0,
                    "");
        }

        @Override
        public Optional<QueueView> queue(String name) {
            return queues().stream().filter(queue -> queue.name().equals(name)).findFirst();
        }

        @Override
        public Optional<GangView> gang(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public List<GangView> gangs(
                @Nullable String queue, @Nullable GangState state, @Nullable Set<String> namespaces, int limit) {
            return List.of();
        }

        @Override
        public List<String> namespaces() {
            return List.of();
        }

        @Override
        public Set<String> gpuResources() {
            return Set.of("nvidia.com/gpu");
        }

        @Override
        public List<NodeClassView> nodeClasses() {
            List<NodeView> fleet =
                    List.of(new NodeView("n1", true, 8, 0), new NodeView("n2", true, 8, 4, "struck", true));
            return List.of(new NodeClassView("h100", "nvidia.com/gpu", 2, 2, 16, 4, missingNodes, fleet, List.of()));
        }

        @Override
        public Assessment assess(Gang gang) {
            return new Assessment(null, null, 0);
        }

        @Override
        public List<Promise> promises() {
            return List.of();
        }

        @Override
        public ToStore toStore() {
            return new ToStore(Map.of(), Map.of());
        }
    }

    @Test
    void queuesAndNodeClassesHaveTheirGaugesWithTheNodesThatAreMissing() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();

        new EngineMeters(new Given(3), registry).refresh();

        assertThat(registry.get("muster.capacity.missing.nodes")
                        .tag("node_class", "h100")
                        .gauge()
                        .value())
                .isEqualTo(3);
        assertThat(registry.get("muster.nodes.struck")
                        .tag("node_class", "h100")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.get("muster.class.gpus")
                        .tags("class", "h100", "state", "used")
                        .gauge()
                        .value())
                .isEqualTo(12);
        assertThat(registry.get("muster.queue.gangs")
                        .tags("queue", "vision", "state", "waiting")
                        .gauge()
                        .value())
                .isEqualTo(3);
    }

    @Test
    void howManyQueuesAndQuotasThereAre_TheGaugesAreBounded() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();

        new EngineMeters(new Given(0, 2_000, 64), registry).refresh();

        assertThat(registry.find("muster.queue.gangs").gauges()).hasSize(3 * EngineMeters.MOST);
        assertThat(registry.find("muster.quota").gauges()).hasSize(2 * EngineMeters.MOST_QUOTAS);
    }
}
