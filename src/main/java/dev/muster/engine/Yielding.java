package dev.muster.engine;

import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Reserved.Span;
import dev.muster.core.decide.reserve.Occupant;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PastRuns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Interruptible gangs that were let past reservations because they give way to them (marked backfill).
 *
 * <p>Such a gang leaves in time for the earliest of the reservations it is marked with, but never before its protection and
 * its grace have passed; when the reserved place is free but for marked gangs, they leave at once. A mark means nothing any
 * more when the reservation is gone. There are few marked gangs, at most as many as fit beside a handful of reservations.
 */
final class Yielding {
    private final Quotas quotas;
    private final Map<String, GangEntry> gangs;
    private final Map<String, Marked> marked = new TreeMap<>();

    private record Marked(String uid, Admission place, String nodeClass, long bound) {}

    Yielding(Quotas quotas, Map<String, GangEntry> gangs) {
        this.quotas = quotas;
        this.gangs = gangs;
    }

    // ---- before the start

    /** How long a gang could stay if it gave way, the longest first: until each reservation that it would delay. */
    List<Span> spans(Gang gang, ClassBook book, long now, long end) {
        long least = now + protection(gang, now) + leaving(gang);
        List<Reservation> passed = book.ranks.stream()
                .filter(held -> held.binds() && (held.closed() || held.at() < end))
                .filter(held -> !held.wish().uid().equals(gang.uid()))
                .filter(held -> held.at() >= least)
                .sorted(Comparator.comparingLong(Reservation::at).reversed())
                .toList();
        List<Span> spans = new ArrayList<>();
        List<String> yieldsTo = new ArrayList<>();
        for (Reservation held : passed) {
            yieldsTo.add(held.wish().uid());
            spans.add(new Span(Math.min(end, held.at()), yieldsTo));
        }
        return spans;
    }

    private long protectedUntil(Marked one, Gang gang) {
        return one.place.admittedAt() + protection(gang, one.place.admittedAt());
    }

    /** How long a gang that is admitted then is protected. */
    private long protection(Gang gang, long admittedAt) {
        GangEntry entry = gangs.get(gang.uid());
        PastRuns past = entry == null ? PastRuns.NONE : entry.status.marks().past();
        return RunningGangs.protection(quotas.preemption(gang.queue()), past, admittedAt);
    }

    /** How long before a reservation its marked gangs are told. */
    private long leaving(Gang gang) {
        return quotas.preemption(gang.queue()).grace() + Stays.OVERRUN;
    }

    // ---- while it runs

    /**
     * A gang is there; one that is not marked, or stops already, is passed over.
     *
     * @param bound when it will have left by itself
     */
    void take(Holding holding, Admission place, String nodeClass, long bound) {
        if (place.yieldsTo().isEmpty() || holding.isClaim() || holding.isStopping()) {
            marked.remove(holding.uid);
        } else {
            marked.put(holding.uid, new Marked(holding.uid, place, nodeClass, bound));
        }
    }

    void leave(String uid) {
        marked.remove(uid);
    }

    /** When a marked gang will have left; {@link Long#MAX_VALUE} when it is not marked, or gives way to nobody any more. */
    long end(String uid, Map<String, ClassBook> books) {
        Marked one = marked.get(uid);
        GangEntry entry = gangs.get(uid);
        Gang gang = entry == null ? null : entry.gang;
        if (one == null || gang == null) {
            return Long.MAX_VALUE;
        }
        return holders(one, books).stream().mapToLong(held -> held.closed() ? 0 : held.at()).min().stream()
                .map(at -> Math.max(at, protectedUntil(one, gang) + leaving(gang)))
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    /** The reservations of its class that it is marked with and that still stand. */
    private static List<Reservation> holders(Marked one, Map<String, ClassBook> books) {
        ClassBook book = books.get(one.nodeClass);
        return book == null
                ? List.of()
                : book.ranks.stream()
                        .filter(held -> held.binds()
                                && one.place.yieldsTo().contains(held.wish().uid()))
                        .toList();
    }

    /** Reservations may have moved: the ends of marked gangs follow. */
    void follow(Map<String, ClassBook> books, long now) {
        for (Marked one : marked.values()) {
            ClassBook book = books.get(one.nodeClass);
            Occupant there = book == null ? null : book.occupant(one.uid);
            long end = Math.min(one.bound, end(one.uid, books));
            if (book != null && there != null && end != there.end() && end > now) {
                book.occupy(there.endingAt(end));
            }
        }
    }

    /**
     * Gangs that have to go now, and the holder to whom each gives way: those without which its place and its quota will
     * surely be there by the time by which they can have left.
     */
    Map<GangEntry, String> due(Map<String, ClassBook> books, long now) {
        Map<GangEntry, String> due = new TreeMap<>();
        if (marked.isEmpty()) {
            return due;
        }
        for (ClassBook book : books.values()) {
            for (Reservation held : book.ranks) {
                if (held.binds() && !held.bookings().isEmpty()) {
                    goingFor(held, book, now)
                            .forEach(gone -> due.putIfAbsent(gone, held.wish().uid()));
                }
            }
        }
        return due;
    }

    private List<GangEntry> goingFor(Reservation held, ClassBook book, long now) {
        List<GangEntry> going = new ArrayList<>();
        List<Occupant> theirs = new ArrayList<>();
        long leaving = 0;
        for (Marked one : marked.values()) {
            GangEntry entry = gangs.get(one.uid);
            Gang gang = entry == null ? null : entry.gang;
            Occupant there = book.occupant(one.uid);
            if (entry != null
                    && gang != null
                    && there != null
                    && one.place.yieldsTo().contains(held.wish().uid())
                    && now >= protectedUntil(one, gang)) {
                going.add(entry);
                theirs.add(there);
                leaving = Math.max(leaving, leaving(gang));
            }
        }
        boolean helps = !going.isEmpty() && book.profile(now).startsWithout(theirs, held, now + leaving);
        boolean isNeeded = helps && !book.profile(now).startsWithout(List.of(), held, now + leaving);
        return isNeeded ? needed(going, theirs, held) : List.of();
    }

    /** Those on the reserved nodes; all, when it is for quota alone. */
    private static List<GangEntry> needed(List<GangEntry> going, List<Occupant> theirs, Reservation held) {
        List<GangEntry> needed = new ArrayList<>();
        for (int i = 0; i < going.size(); i++) {
            if (theirs.get(i).held().keySet().stream().anyMatch(held.bookings()::containsKey)) {
                needed.add(going.get(i));
            }
        }
        return needed.isEmpty() ? going : needed;
    }

    /** When time alone makes somebody give way, after {@code now}; {@link Long#MAX_VALUE} when never. */
    long wakeAt(Map<String, ClassBook> books, long now) {
        long next = Long.MAX_VALUE;
        for (Marked one : marked.values()) {
            GangEntry entry = gangs.get(one.uid);
            Gang gang = entry == null ? null : entry.gang;
            if (gang == null) {
                continue;
            }
            long unprotected = protectedUntil(one, gang);
            next = unprotected > now ? Math.min(next, unprotected) : next;
            for (Reservation held : holders(one, books)) {
                long told = held.at() - leaving(gang);
                next = told > now ? Math.min(next, told) : next;
            }
        }
        return next;
    }
}
