package dev.muster.core.decide;

import dev.muster.core.decide.evict.Place;
import dev.muster.core.fleet.Finding;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Placer;
import dev.muster.core.fleet.Side;
import dev.muster.core.fleet.View;
import dev.muster.core.model.Gang;
import dev.muster.core.share.Stake;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Looks for a place for a gang as the fleet will be once some committed gangs are gone. It takes their bookings off the
 * committed side one by one, as the trial changes, and must be closed to put all of them back.
 */
final class PlaceWithout implements Place, AutoCloseable {
    private final Fleet fleet;
    private final Quotas quotas;
    private final Committed committed;
    private final Gang gang;
    private final String nodeClass;
    private final Function<Set<String>, Map<String, long[]>> kept;
    private Stake[] trial = {};
    private boolean[] taken = {};

    /**
     * Nobody is gone yet.
     *
     * @param kept what must stay free, by node, once the gangs of these UIDs are gone
     */
    PlaceWithout(
            Fleet fleet,
            Quotas quotas,
            Committed committed,
            Gang gang,
            String nodeClass,
            Function<Set<String>, Map<String, long[]>> kept) {
        this.fleet = fleet;
        this.quotas = quotas;
        this.committed = committed;
        this.gang = gang;
        this.nodeClass = nodeClass;
        this.kept = kept;
    }

    @Override
    public boolean fits(Stake[] legal, boolean[] out) {
        move(legal, out);
        return Placer.place(fleet, View.LATER, nodeClass, gang.podsets(), gang.interruptible(), kept()) != null;
    }

    /** The place without exactly the gangs that are out. */
    Finding find(Stake[] legal, boolean[] out) {
        move(legal, out);
        return Placer.find(fleet, View.LATER, nodeClass, gang.podsets(), gang.interruptible(), kept());
    }

    private Map<String, long[]> kept() {
        Set<String> gone = new HashSet<>();
        for (int i = 0; i < trial.length; i++) {
            if (taken[i]) {
                gone.add(quotas.uid(trial[i]));
            }
        }
        return kept.apply(gone);
    }

    private void move(Stake[] legal, boolean[] out) {
        if (trial != legal) {
            close();
            trial = legal;
            taken = new boolean[legal.length];
        }
        for (int i = 0; i < legal.length; i++) {
            move(i, out[i]);
        }
    }

    /** The place without these gangs. */
    Finding find(List<Stake> gone) {
        boolean[] out = new boolean[trial.length];
        for (int i = 0; i < trial.length; i++) {
            out[i] = gone.contains(trial[i]);
        }
        return find(trial, out);
    }

    private void move(int victim, boolean out) {
        if (taken[victim] != out) {
            taken[victim] = out;
            committed
                    .bookings(quotas.uid(trial[victim]))
                    .forEach((node, amount) -> fleet.book(Side.COMMITTED, node, amount, out ? -1 : 1));
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < trial.length; i++) {
            move(i, false);
        }
    }
}
