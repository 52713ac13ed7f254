package dev.muster.engine;

import dev.muster.core.decide.reserve.Profile;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.decide.reserve.Reservation.Cause;
import dev.muster.core.decide.reserve.Wish;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Gathering;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One review of the reservations of one class: plans that have become impossible are made anew, ranks move forward where that
 * delays nobody, and nodes are collected for old gangs without a kept time.
 */
final class Plans {
    private final EngineSettings.Reserving settings;
    private final Fleet fleet;
    private final Map<String, GangEntry> gangs;
    private final ClassBook book;
    private final long now;

    Plans(EngineSettings.Reserving settings, Fleet fleet, Map<String, GangEntry> gangs, ClassBook book, long now) {
        this.settings = settings;
        this.fleet = fleet;
        this.gangs = gangs;
        this.book = book;
        this.now = now;
    }

    /** A rank without a time. */
    static Reservation unknown(Wish wish, int slips, Cause cause) {
        return new Reservation(wish, Reservation.NEVER, List.of(), Map.of(), false, slips, cause);
    }

    /** What was promised, planned anew after a restart; a time that is later than the promised one has slipped. */
    static Reservation anew(Wish wish, Views.Promise before, Profile profile) {
        Reservation planned = profile.earliest(wish, Reservation.NEVER);
        Reservation next = planned != null ? planned : unknown(wish, 0, Cause.PLANNED);
        boolean slips = next.at() > before.at();
        int slipped = before.slips() + (slips ? 1 : 0);
        return again(next, wish, next.at(), false, slipped, slips ? Cause.RESTART : before.cause());
    }

    /** Brings all plans up to date. Returns whether anything that is reserved has changed. */
    boolean review() {
        boolean due = book.ranks.stream().anyMatch(held -> held.at() <= now);
        boolean changed = false;
        if (book.disturbed != null || due) {
            changed |= repair(book.disturbed == null ? Cause.OVERRUN : book.disturbed);
        }
        if (book.freed) {
            changed |= improve();
        }
        return changed | collect();
    }

    /** Plans what has become impossible anew, the first rank first. */
    private boolean repair(Cause cause) {
        boolean changed = false;
        Profile all = book.profile(now);
        for (int rank = 0; rank < book.ranks.size(); rank++) {
            Reservation held = book.ranks.get(rank);
            Profile before = all.with(book.ranks.subList(0, rank));
            if (before.keeps(held)) {
                continue;
            }
            Reservation planned = held.closed() ? null : before.earliest(held.wish(), Reservation.NEVER);
            long at = held.closed()
                    ? before.emptyAt(held.bookings())
                    : planned == null ? Reservation.NEVER : planned.at();
            boolean slips = at > held.at();
            Cause why = !slips ? held.cause() : changed ? Cause.HIGHER_RANK : cause;
            Reservation shape = planned != null ? planned : held.closed() ? held : unknown(held.wish(), 0, why);
            Reservation next = again(shape, held.wish(), at, held.closed(), held.slips() + (slips ? 1 : 0), why);
            if (at != held.at() || !next.place().equals(held.place())) {
                book.ranks.set(rank, next);
                changed = true;
            }
        }
        book.ranksChanged(now);
        return changed;
    }

    private static Reservation again(Reservation shape, Wish wish, long at, boolean closed, int slips, Cause cause) {
        return new Reservation(wish, at, shape.place(), shape.bookings(), closed, slips, cause);
    }

    /** Moves ranks forward where that delays no other. */
    private boolean improve() {
        boolean changed = false;
        for (int rank = 0; rank < book.ranks.size(); rank++) {
            Reservation held = book.ranks.get(rank);
            if (held.closed()) {
                continue;
            }
            Reservation planned = book.profile(now).earliest(held.wish(), held.at());
            if (planned != null) {
                book.ranks.set(rank, again(planned, held.wish(), planned.at(), false, held.slips(), Cause.PLANNED));
                book.ranksChanged(now);
                changed = true;
            }
        }
        return changed;
    }

    /** Closes sets of nodes for old gangs without a kept time, and exchanges a set for one with fewer GPUs outstanding. */
    private boolean collect() {
        boolean changed = false;
        long closed = 0;
        Set<String> before = new HashSet<>();
        for (int rank = 0; rank < book.ranks.size(); rank++) {
            Reservation held = book.ranks.get(rank);
            GangEntry entry = gangs.get(held.wish().uid());
            boolean old = entry != null && now - entry.waitsSince >= settings.saveAfter();
            if (held.closed() && book.freed
                    || !held.closed() && old && (held.at() == Reservation.NEVER || held.slips() > 0)) {
                long may = fleet.gpus(book.nodeClass) * settings.savePercent() / 100;
                Reservation better = collect(held, before, may - closed);
                if (better != null) {
                    book.ranks.set(rank, better);
                    book.change(Cause.HIGHER_RANK);
                    changed = true;
                    held = better;
                }
            }
            before.addAll(held.bookings().keySet());
            closed += held.closed() ? gpus(held) : 0;
        }
        if (changed) {
            repair(Cause.HIGHER_RANK);
        }
        return changed;
    }

    private @Nullable Reservation collect(Reservation held, Set<String> besides, long may) {
        Reservation set = book.profile(now).collect(held.wish(), besides);
        if (set == null || gpus(set) > may) {
            return null;
        }
        boolean fewer = !held.closed()
                || Gathering.outstanding(fleet, book.nodeClass, set.bookings())
                        < Gathering.outstanding(fleet, book.nodeClass, held.bookings());
        return fewer ? again(set, held.wish(), set.at(), true, held.slips(), held.cause()) : null;
    }

    private long gpus(Reservation held) {
        return Gathering.gpus(fleet, book.nodeClass, held.bookings().values());
    }
}
