package dev.muster.core.decide.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.RandomWorld;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Admissions and preemptions step by step; what is stopped waits again. Asserts at each preemption that the potential rises. */
final class Play {
    final Standing standing;
    final Map<Integer, Stake> running = new TreeMap<>();
    final Map<Integer, Stake> waiting = new TreeMap<>();
    int preempted;
    String log;
    private final long capacity;
    private long clock;

    /** @param capacity sum of all charges that nodes can hold */
    Play(QuotaTree tree, long capacity, String log) {
        standing = new Standing(tree);
        this.capacity = capacity;
        this.log = log;
    }

    void arrive(Stake gang) {
        log += " new " + gang.uid();
        waiting.put(gang.slot(), gang);
        standing.want(gang.queue(), gang.charge(), gang.charge());
    }

    void finish(Stake gang) {
        log += " -" + gang.uid();
        running.remove(gang.slot());
        standing.release(gang);
    }

    boolean startIfItFits(Stake candidate) {
        boolean fits = standing.admits(candidate) && placeFor(candidate).fits(new Stake[0], new boolean[0]);
        if (fits) {
            log += " +" + candidate.uid();
            admit(candidate);
        }
        return fits;
    }

    Prospect prospect(Stake candidate) {
        return new Evictions(standing).prospect(candidate, true, PolicyWorldsTest.EQUAL);
    }

    /** Preempts by the fast search; false when nobody may be. */
    boolean preemptFor(Stake candidate) {
        if (prospect(candidate).search(placeFor(candidate)) instanceof Outcome.Evict evict) {
            preempt(candidate, evict.eviction());
            return true;
        }
        return false;
    }

    void preempt(Stake candidate, Eviction chosen) {
        Potential before = Potential.of(standing);
        log += " " + candidate.uid() + "x"
                + chosen.victims().stream().map(Stake::uid).toList();
        chosen.victims().forEach(this::stop);
        preempted += chosen.victims().size();
        assertThat(standing.admits(candidate)).as(log).isTrue();
        admit(candidate);
        assertThat(Potential.of(standing)).as(log).isGreaterThan(before);
    }

    /** Takes the waiting gangs in order, again and again, until nothing changes. */
    void settle() {
        for (int step = 0; step < 1_000; step++) {
            boolean changed = false;
            for (Stake candidate : new ArrayList<>(waiting.values())) {
                if (startIfItFits(candidate) || preemptFor(candidate)) {
                    changed = true;
                    break;
                }
            }
            if (!changed) {
                return;
            }
        }
        throw new AssertionError("no end of preemptions, " + log);
    }

    /** The sizes that run in a queue, in order of slot. */
    List<Long> sizes(int queue) {
        return running.values().stream()
                .filter(gang -> gang.queue() == queue)
                .map(Stake::size)
                .toList();
    }

    Place placeFor(Stake candidate) {
        return (legal, out) -> {
            long used = candidate.size();
            for (Stake gang : running.values()) {
                used += gang.size();
            }
            for (int i = 0; i < out.length; i++) {
                used -= out[i] ? legal[i].size() : 0;
            }
            return used <= capacity;
        };
    }

    private void stop(Stake victim) {
        assertThat(victim.firm()).as(log).isFalse();
        running.remove(victim.slot());
        standing.release(victim);
        Stake again = RandomWorld.admitted(victim, Stake.CANDIDATE);
        waiting.put(again.slot(), again);
        standing.want(again.queue(), again.charge(), again.charge());
    }

    private void admit(Stake candidate) {
        waiting.remove(candidate.slot());
        standing.unwant(candidate.queue(), candidate.charge(), candidate.charge());
        Stake admitted = RandomWorld.admitted(candidate, ++clock);
        running.put(admitted.slot(), admitted);
        standing.commit(admitted);
    }
}
