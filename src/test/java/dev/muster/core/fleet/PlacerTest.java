package dev.muster.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.fleet.Finding.Cause;
import dev.muster.core.fleet.Finding.Place;
import dev.muster.core.fleet.Finding.Shortfall;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.LabelDemand;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.NodeTerm;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Taint;
import dev.muster.core.model.TopologyWish;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlacerTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final TopologyWish ONE_RACK = new TopologyWish("rack", true);

    private final Fleet fleet = new Fleet();

    PlacerTest() {
        fleet.put(new NodeClass(
                "h100", Map.of("gpu", "h100"), null, List.of(), GPU, Map.of(), List.of("zone", "rack"), null));
    }

    private void node(String name, String rack, long gpus) {
        fleet.put(new NodeFacts(
                name,
                Map.of("gpu", "h100", "rack", rack, "zone", "z"),
                List.of(),
                Amounts.of(Map.of(GPU, gpus, "cpu", 64_000L, "pods", 110L)),
                true,
                false));
    }

    private void use(String node, long gpus) {
        long[] vector = fleet.resources().vector(Amounts.of(GPU, gpus));
        fleet.book(Side.HELD, node, vector, 1);
        fleet.book(Side.COMMITTED, node, vector, 1);
    }

    private static PodSet pods(int members, long gpus, @Nullable TopologyWish topology) {
        PodShape shape = new PodShape(Amounts.of(Map.of(GPU, gpus, "pods", 1L)), List.of(), List.of());
        return new PodSet("main", members, members, shape, true, topology);
    }

    private Finding find(PodSet podset) {
        return Placer.find(fleet, View.NOW, "h100", List.of(podset), false);
    }

    private static Place at(NodeSlots... nodes) {
        return new Place(List.of(List.of(nodes)));
    }

    @Test
    void smallGangsFillTheFullestNodeThatHoldsThemAll() {
        node("n1", "a", 8);
        node("n2", "a", 8);
        use("n2", 5);

        assertThat(find(pods(3, 1, null))).isEqualTo(at(new NodeSlots("n2", 3)));
        assertThat(find(pods(4, 1, null))).isEqualTo(at(new NodeSlots("n1", 4)));
    }

    @Test
    void firmAndInterruptibleGangsPackFromOppositeEnds() {
        node("n1", "a", 8);
        node("n2", "a", 8);

        assertThat(Placer.find(fleet, View.NOW, "h100", List.of(pods(1, 8, null)), false))
                .isEqualTo(at(new NodeSlots("n1", 1)));
        assertThat(Placer.find(fleet, View.NOW, "h100", List.of(pods(1, 8, null)), true))
                .isEqualTo(at(new NodeSlots("n2", 1)));
    }

    @Test
    void aRequiredDomainHoldsAllMembersAndTheOneWithTheFewestFreeGpusIsTaken() {
        node("n1", "a", 8);
        node("n2", "a", 8);
        node("n3", "a", 8);
        node("n4", "b", 8);
        node("n5", "b", 8);

        assertThat(find(pods(2, 8, ONE_RACK))).isEqualTo(at(new NodeSlots("n4", 1), new NodeSlots("n5", 1)));
        assertThat(find(pods(3, 8, ONE_RACK)))
                .isEqualTo(at(new NodeSlots("n1", 1), new NodeSlots("n2", 1), new NodeSlots("n3", 1)));
        assertThat(find(pods(4, 8, ONE_RACK)))
                .isInstanceOfSatisfying(
                        Shortfall.class, none -> assertThat(none.cause()).isEqualTo(Cause.NO_DOMAIN));
        assertThat(find(pods(4, 8, new TopologyWish("rack", false)))).isInstanceOf(Place.class);
    }

    @Test
    void ranksFollowTopologyThenNames() {
        node("a9", "2", 8);
        node("b1", "1", 8);
        node("b2", "2", 8);

        assertThat(find(pods(3, 8, null)))
                .isEqualTo(at(new NodeSlots("b1", 1), new NodeSlots("a9", 1), new NodeSlots("b2", 1)));
    }

    @Test
    void whatNoDomainHoldsEvenWhenEmptyNeverFitsWhereOneIsRequired() {
        node("n1", "a", 8);
        node("n2", "a", 8);
        node("n3", "b", 8);
        use("n1", 8);

        assertThat(Placer.fitsWhenEmpty(fleet, "h100", List.of(pods(2, 8, ONE_RACK))))
                .isTrue();
        assertThat(Placer.fitsWhenEmpty(fleet, "h100", List.of(pods(3, 8, ONE_RACK))))
                .isFalse();
        assertThat(Placer.fitsWhenEmpty(fleet, "h100", List.of(pods(3, 8, new TopologyWish("rack", false)))))
                .isTrue();
        assertThat(Placer.fitsWhenEmpty(fleet, "h100", List.of(pods(1, 1, new TopologyWish("row", true)))))
                .as("no node has that label")
                .isFalse();
    }

    @Test
    void severalPodsetsShareWhatIsLeftByTheOthers() {
        node("n1", "a", 8);
        PodSet workers = pods(1, 6, null);
        PodSet helper = new PodSet("helper", 2, 2, pods(1, 1, null).shape(), false, null);
        PodSet tooMany = new PodSet("helper", 3, 3, pods(1, 1, null).shape(), false, null);

        assertThat(Placer.find(fleet, View.NOW, "h100", List.of(helper, workers), false))
                .isEqualTo(new Place(List.of(List.of(new NodeSlots("n1", 2)), List.of(new NodeSlots("n1", 1)))));
        assertThat(Placer.find(fleet, View.NOW, "h100", List.of(tooMany, workers), false))
                .isInstanceOf(Shortfall.class);
    }

    @Test
    void labelsNamesAndHardTaintsKeepPodsAway() {
        node("n1", "a", 8);
        PodShape picky = new PodShape(
                Amounts.of(GPU, 1),
                List.of(new NodeTerm(List.of(LabelDemand.equal("rack", "b")), List.of())),
                List.of());
        PodSet podset = new PodSet("main", 1, 1, picky, false, null);
        assertThat(find(podset))
                .isInstanceOfSatisfying(
                        Shortfall.class, none -> assertThat(none.cause()).isEqualTo(Cause.NONE_ACCEPTS));

        node("n1", "b", 8);
        assertThat(find(podset)).isEqualTo(at(new NodeSlots("n1", 1)));
        fleet.put(new NodeFacts(
                "n1",
                Map.of("gpu", "h100", "rack", "b"),
                List.of(new Taint("maintenance", "", Taint.Effect.NO_SCHEDULE)),
                Amounts.of(Map.of(GPU, 8L, "pods", 110L)),
                true,
                false));
        assertThat(find(podset)).isInstanceOf(Shortfall.class);
    }

    @Test
    void roomMustSufficeForWhatIsHeldAndForWhatIsCommittedEachByItself() {
        node("n1", "a", 8);
        fleet.book(Side.HELD, "n1", fleet.resources().vector(Amounts.of(GPU, 6)), 1);
        fleet.book(Side.COMMITTED, "n1", fleet.resources().vector(Amounts.of(GPU, 4)), 1);

        assertThat(find(pods(1, 2, null))).isEqualTo(at(new NodeSlots("n1", 1)));
        assertThat(find(pods(1, 4, null))).isInstanceOf(Shortfall.class);
        assertThat(Placer.find(fleet, View.LATER, "h100", List.of(pods(1, 4, null)), false))
                .isEqualTo(at(new NodeSlots("n1", 1)));
    }

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("muster.seeds", 200));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void forOnePodShapeAPlaceIsFoundWheneverThereIsOne(long seed) {
        Random random = new Random(seed);
        long[] free = new long[6];
        for (int i = 0; i < free.length; i++) {
            node("n" + i, "r" + i / 2, 8);
            long used = random.nextInt(9);
            use("n" + i, used);
            free[i] = 8 - used;
        }
        for (int members = 1; members <= 8; members++) {
            long gpus = 1 + random.nextInt(8);
            boolean oneRack = random.nextBoolean();
            long most = 0;
            long[] byRack = new long[3];
            for (int i = 0; i < free.length; i++) {
                most += free[i] / gpus;
                byRack[i / 2] += free[i] / gpus;
            }
            long room = oneRack ? Math.max(byRack[0], Math.max(byRack[1], byRack[2])) : most;

            Finding found = find(pods(members, gpus, oneRack ? ONE_RACK : null));

            assertThat(found instanceof Place)
                    .as("seed %s: %s x %s GPUs, one rack %s, room for %s", seed, members, gpus, oneRack, room)
                    .isEqualTo(room >= members);
            if (found instanceof Place place) {
                place.podsets()
                        .get(0)
                        .forEach(slots -> assertThat(slots.members() * gpus)
                                .as("seed %s", seed)
                                .isLessThanOrEqualTo(
                                        free[Integer.parseInt(slots.node().substring(1))]));
            }
        }
    }
}
