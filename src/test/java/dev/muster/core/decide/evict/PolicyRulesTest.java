package dev.muster.core.decide.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.share.RandomWorld;
import dev.muster.core.share.Stake;
import dev.muster.core.share.World;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The smallest worlds in which plausible rules of preemption go wrong, and single rules with their figures. */
class PolicyRulesTest {
    /** A play of a world's gangs; those that run start first, in order. */
    private static Play play(World world, long capacity, String... order) {
        Play play = new Play(world.tree(), capacity, "");
        for (String name : world.running()) {
            Stake gang = candidate(world, name);
            play.arrive(gang);
            assertThat(play.startIfItFits(gang)).as(name + " starts").isTrue();
        }
        for (String name : order.length > 0 ? Arrays.asList(order) : world.waiting()) {
            play.arrive(candidate(world, name));
        }
        return play;
    }

    private static Stake candidate(World world, String name) {
        return RandomWorld.admitted(world.stake(name), Stake.CANDIDATE);
    }

    private static String decide(World world, String name, boolean waitedShare) {
        Outcome outcome = new Evictions(world.standing())
                .prospect(world.stake(name), waitedShare, PolicyWorldsTest.EQUAL)
                .search(Place.ANYWHERE);
        if (outcome instanceof Outcome.Evict evict) {
            return evict.eviction().victims().stream()
                    .map(world::nameOf)
                    .toList()
                    .toString();
        }
        return ((Outcome.Refused) outcome).why().toString();
    }

    @Test
    void two_resources_do_not_make_two_queues_take_turns() {
        World world = new World("cpu", "gpu")
                .queue("root", null, 1, 8, 2)
                .queue("V", "root", 1, 0, 0)
                .queue("P", "root", 1, 0, 0)
                .queue("Z", "root", 1, 0, 0)
                .runs("v1 V 4+0", "v2 V 0+1", "p1 P 4+0", "z1 Z 0+1")
                .waits("p2 P 0+1");
        Play play = play(world, 1_000);

        play.settle();

        assertThat(play.preempted).as(play.log).isLessThanOrEqualTo(1);
    }

    @Test
    void reclaim_and_priority_do_not_chase_each_other() {
        World world = World.flat("A:2", "B:3").runs("b4 B 4@1").waits("a2 A 2@0", "a4 A 4@1", "b3 B 3@0");
        Play play = play(world, 1_000);

        play.settle();

        assertThat(play.preempted).as(play.log).isLessThanOrEqualTo(2);
    }

    @Test
    void a_queue_without_nominal_and_one_with_some_do_not_swap_for_ever() {
        World world = new World("gpu")
                .queue("root", null, 1, 4)
                .queue("A", "root", 1, 1)
                .queue("B", "root", 1, 0)
                .runs("a5 A 5")
                .waits("b1 B 1", "b4 B 4");
        Play play = play(world, 1_000);

        play.settle();

        assertThat(play.preempted).as(play.log).isLessThanOrEqualTo(2);
    }

    @Test
    void a_newcomer_gets_its_half_and_no_more_whatever_the_other_has_used_before() {
        World world = new World("gpu")
                .queue("root", null, 1, 8)
                .queue("V", "root", 1, 0)
                .queue("P", "root", 1, 0);
        for (int i = 0; i < 8; i++) {
            world.runs("v" + i + " V 1");
        }
        for (int i = 0; i < 8; i++) {
            world.waits("p" + i + " P 1");
        }
        Play play = play(world, 1_000);

        play.settle();

        assertThat(play.sizes(world.tree().indexOf("V"))).as(play.log).hasSize(4);
        assertThat(play.sizes(world.tree().indexOf("P"))).as(play.log).hasSize(4);
        assertThat(play.preempted)
                .as("each plan sees the one before it, so eight of P planned at once do not take all")
                .isEqualTo(4);
    }

    @Test
    void a_team_below_its_nominal_takes_it_back_from_the_borrower() {
        World world = World.flat("A:8", "B:8").runs("b1 B 8", "b2 B 8").waits("a A 8");

        assertThat(world.coveredAt()).containsEntry("b1", "B").containsEntry("b2", "root");
        assertThat(decide(world, "a", false)).as("nominal needs no waiting").isEqualTo("[b2]");
    }

    @Test
    void whoever_uses_one_class_beyond_its_nominal_still_gets_its_nominal_of_the_other() {
        World world = new World("cheap", "premium")
                .queue("root", null, 1, 0, 0)
                .queue("A", "root", 1, 0, 3)
                .queue("B", "root", 1, 6, 0)
                .runs("a1 A 0+1", "a2 A 0+1", "a3 A 5+0", "b1 B 0+1")
                .waits("a A 0+1");

        assertThat(decide(world, "a", false)).isEqualTo("[b1]");
    }

    @Test
    void on_surplus_a_gang_must_have_waited_and_end_lower_than_its_victim() {
        World world = new World("gpu")
                .queue("root", null, 1, 8)
                .queue("V", "root", 1, 0)
                .queue("P", "root", 1, 0)
                .runs("v1 V 2", "v2 V 2", "v3 V 2", "v4 V 2", "p0 P 0")
                .waits("p P 2", "all P 8");

        assertThat(decide(world, "p", false)).isEqualTo("SHARE_WAIT");
        assertThat(decide(world, "p", true)).as("equal cost: the smaller UID").isEqualTo("[v3]");
        assertThat(decide(world, "all", true)).as("P is due 4").isEqualTo("NOT_COVERED");
    }

    @Test
    void a_firm_gang_gets_nothing_that_its_firm_ledger_refuses() {
        World world = World.flat("A:2", "B:8").runs("b1 B 8", "a0 A 2").waits("!a A 4");

        assertThat(decide(world, "a", true)).isEqualTo("FIRM_LEDGER");
    }

    @Test
    void a_firm_gang_within_nominal_takes_the_place_of_interruptible_ones_of_its_own_queue_only_by_priority() {
        World world = World.flat("A:4", "B:4").runs("same A 4@0", "b B 4").waits("!equal A 4@0", "!higher A 4@1");

        assertThat(decide(world, "equal", true)).isEqualTo("NO_LEGAL_VICTIM");
        assertThat(decide(world, "higher", true)).isEqualTo("[same]");
    }

    @Test
    void nobody_is_pushed_out_of_cover_by_an_equal_of_its_own_queue() {
        World world = World.flat("A:6", "B:0").runs("a3 A 3", "b3 B 3").waits("a4 A 4");

        assertThat(decide(world, "a4", true))
                .as("the larger a4 would be covered in place of a3")
                .isEqualTo("PUSHES_OTHERS");
    }

    @Test
    void what_is_protected_or_already_stopping_is_left_alone() {
        World world = World.flat("A:8", "B:8").runs("b1 B 8", "b2 B 8").waits("a A 8");
        Prospect prospect = new Evictions(world.standing()).prospect(world.stake("a"), true, new Victims() {
            @Override
            public boolean mayStop(Stake gang) {
                return false;
            }

            @Override
            public long cost(Stake gang) {
                return 1;
            }
        });

        assertThat(prospect.search(Place.ANYWHERE)).isEqualTo(new Outcome.Refused(NoEviction.NO_LEGAL_VICTIM));
    }

    @Test
    void no_victim_when_place_would_still_be_missing_and_the_ledger_is_as_before() {
        World world = World.flat("A:8", "B:8").runs("b1 B 8", "b2 B 8").waits("a A 8");
        Prospect prospect = new Evictions(world.standing()).prospect(world.stake("a"), true, PolicyWorldsTest.EQUAL);

        assertThat(prospect.search((legal, out) -> false)).isEqualTo(new Outcome.Refused(NoEviction.NO_PLACE));
        assertThat(world.standing().committed().used(0, 0)).isEqualTo(16);
    }

    @Test
    void only_victims_of_the_asked_domain_are_taken() {
        World world = World.flat("A:8", "B:0", "C:8")
                .runs("b1 B 4", "b2 B 4", "b3 B 4", "b4 B 4")
                .waits("a A 4", "c C 4");
        Prospect prospect = new Evictions(world.standing()).prospect(world.stake("a"), true, PolicyWorldsTest.EQUAL);

        Outcome outcome =
                prospect.search(Place.ANYWHERE, gang -> world.nameOf(gang).equals("b3"));

        assertThat(((Outcome.Evict) outcome).eviction().victims()).containsExactly(world.stake("b3"));
    }

    @Test
    void who_never_reports_a_checkpoint_does_not_become_immune() {
        Terms terms = Terms.DEFAULT;

        assertThat(terms.cost(8, 100 * 3_600_000L, 0)).isEqualTo(8 * (4 * 3_600_000L + 600_000L));
        assertThat(terms.cost(8, 60_000, 2)).isEqualTo(8 * (60_000L + 600_000 + 3_600_000));
    }

    @Test
    void protection_doubles_with_each_eviction_up_to_eightfold_and_grows_with_what_was_run() {
        Terms terms = Terms.DEFAULT;

        assertThat(List.of(
                        terms.protection(0, 0),
                        terms.protection(1, 0),
                        terms.protection(3, 0),
                        terms.protection(9, 0),
                        terms.protection(0, 100_000_000)))
                .containsExactly(600_000L, 1_200_000L, 4_800_000L, 4_800_000L, 10_000_000L);
    }
}
