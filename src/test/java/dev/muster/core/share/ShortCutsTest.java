package dev.muster.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Quick answers against the slow ones that they stand for, on generated trees. */
class ShortCutsTest {
    static LongStream seeds() {
        return Seeds.all();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void candidates_offered_at_once_have_their_turns_as_if_offered_one_by_one(long seed) {
        RandomWorld world = new RandomWorld(seed, 40, 40);
        QuotaTree tree = world.tree();
        Ledger ledger = new Ledger(tree, LedgerKind.NORMAL);
        QueueOrder slow = new QueueOrder(tree, ledger, new Share(tree));
        QueueOrder quick = new QueueOrder(tree, ledger, new Share(tree));
        for (int round = 0; round < 3; round++) {
            List<Stake> gangs = world.gangs();
            int[] queues = new int[gangs.size()];
            Charge[] charges = new Charge[gangs.size()];
            long[] since = new long[gangs.size()];
            for (int i = 0; i < gangs.size(); i++) {
                queues[i] = gangs.get(i).queue();
                charges[i] = gangs.get(i).charge();
                since[i] = world.random().nextInt(5);
                slow.offer(queues[i], charges[i], since[i]);
            }
            quick.offer(queues, charges, since, queues.length);

            assertThat(turns(quick)).as("seed " + seed).isEqualTo(turns(slow));

            slow.withdrawAll();
            assertThat(slow.next()).as("seed " + seed).isEqualTo(-1);
            Stake admitted = gangs.get(world.random().nextInt(gangs.size()));
            ledger.charge(admitted.queue(), admitted.charge());
            slow.chargeChanged(admitted.queue());
            quick.chargeChanged(admitted.queue());
        }
    }

    private static List<Integer> turns(QueueOrder order) {
        List<Integer> turns = new ArrayList<>();
        for (int next = order.next(); next >= 0; next = order.next()) {
            turns.add(next);
            order.withdraw(next);
        }
        return turns;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_queue_without_children_knows_by_its_own_gangs_whether_it_covers_an_interruptible_candidate(long seed) {
        RandomWorld world = new RandomWorld(seed, 5, 14);
        Standing standing = new Standing(world.tree());
        List<Stake> waiting = new ArrayList<>();
        for (Stake gang : world.gangs()) {
            if (world.random().nextInt(3) > 0) {
                standing.commit(RandomWorld.admitted(gang, gang.slot()));
            } else {
                standing.want(gang.queue(), gang.charge(), gang.charge());
                waiting.add(gang);
            }
        }
        for (Stake candidate : waiting) {
            if (!candidate.firm() && world.tree().childCount(candidate.queue()) == 0) {
                boolean covered = standing.coveredWith(candidate)[candidate.slot()] == candidate.queue();
                String which = "seed " + seed + ", " + candidate.uid();

                assertThat(standing.cover().coversInLeaf(standing.due(), candidate))
                        .as(which)
                        .isEqualTo(covered);
                assertThat(standing.cover().coversInQueue(standing.due(), candidate, standing.coveredAt()))
                        .as(which)
                        .isEqualTo(covered);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void what_never_fits_is_what_an_empty_ledger_refuses(long seed) {
        RandomWorld world = new RandomWorld(seed, 5, 14);
        for (Stake gang : world.gangs()) {
            LedgerKind kind = gang.firm() ? LedgerKind.FIRM : LedgerKind.NORMAL;

            assertThat(world.tree().neverFits(kind, gang.queue(), gang.charge()))
                    .as("seed " + seed + ", " + gang.uid())
                    .isEqualTo(new Ledger(world.tree(), kind).refusal(gang.queue(), gang.charge()));
        }
    }
}
