package dev.muster.core.decide.reserve;

import dev.muster.core.fleet.Finding;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Gathering;
import dev.muster.core.fleet.Outlook;
import dev.muster.core.fleet.Placer;
import dev.muster.core.fleet.View;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.PodSet;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The future of one class: who leaves when, and who has reserved what. Valid until anything in the class changes.
 *
 * <p>Everything is one question: is there room for a gang from a time on until it has left? There is, if at that time, and at
 * each later time at which a reservation begins before it has left, nodes and quota hold what is used then, the reservations
 * that bind it, and the gang. Between those times use only falls.
 *
 * <p>Reserved quota binds only a gang on surplus: one that has, on its path below the common ancestor, no node that stays
 * within its own quota with it.
 */
public final class Profile {
    private final Fleet fleet;
    private final String nodeClass;
    private final Departures departures;
    private final List<Reservation> reservations;
    private final ReservedQuota quota;
    private final long now;
    private final Map<Span, Map<String, long[]>> keptIn = new HashMap<>();

    /** Which reservations count, as bits, from when on. */
    private record Span(long from, long begun) {}

    /**
     * The future as it looks now.
     *
     * @param stakes what quota a gang is committed to, by UID; null when none
     * @param reservations in rank order, at most 60
     */
    public Profile(
            Fleet fleet,
            Standing standing,
            Function<String, @Nullable Stake> stakes,
            String nodeClass,
            Departures departures,
            List<Reservation> reservations,
            long now) {
        this.fleet = fleet;
        this.nodeClass = nodeClass;
        this.departures = departures;
        this.reservations = List.copyOf(reservations);
        this.now = now;
        quota = new ReservedQuota(standing, stakes, departures, this.reservations, now);
    }

    private Profile(Profile other, List<Reservation> reservations) {
        fleet = other.fleet;
        nodeClass = other.nodeClass;
        departures = other.departures;
        now = other.now;
        this.reservations = List.copyOf(reservations);
        quota = other.quota.with(this.reservations);
    }

    /** The same occupants with other reservations. */
    public Profile with(List<Reservation> others) {
        return new Profile(this, others);
    }

    /**
     * What has to stay free now, by node, for a gang that has left by {@code until}.
     *
     * @param unbound gangs whose reservations do not bind it, its own among them
     */
    public Map<String, long[]> kept(Collection<String> unbound, long until) {
        return kept(unbound, now, until);
    }

    private Map<String, long[]> kept(Collection<String> unbound, long from, long until) {
        long begun = begun(unbound, from, until);
        return begun == 0 ? Map.of() : keptIn.computeIfAbsent(new Span(from, begun), this::kept);
    }

    /** The reservations, as bits, that bind a gang which is there from a time on. */
    private long begun(Collection<String> unbound, long from, long until) {
        long begun = 0;
        for (int i = 0; i < reservations.size(); i++) {
            Reservation reservation = reservations.get(i);
            boolean counts = reservation.binds()
                    && !unbound.contains(reservation.wish().uid())
                    && reservation.from(now) < until
                    && reservation.until(now) > from;
            begun |= counts ? 1L << i : 0;
        }
        return begun;
    }

    private List<Reservation> counted(long begun) {
        List<Reservation> counted = new ArrayList<>();
        for (int i = 0; i < reservations.size(); i++) {
            if ((begun & 1L << i) != 0) {
                counted.add(reservations.get(i));
            }
        }
        return counted;
    }

    private Map<String, long[]> kept(Span span) {
        List<Reservation> counted = counted(span.begun);
        Set<String> nodes = new HashSet<>();
        counted.forEach(reservation -> nodes.addAll(reservation.bookings().keySet()));
        Map<String, long[]> kept = new HashMap<>();
        for (String node : nodes) {
            kept.put(node, kept(node, counted, span.from));
        }
        return kept;
    }

    /**
     * The same for a gang that comes as soon as all that are stopping, and these gangs with them, have left: beyond what is
     * committed then. Who would have left by himself before a reservation begins counted as room for it; who is made to
     * leave for the gang no longer does.
     */
    public Map<String, long[]> keptWithout(Set<String> gone, Collection<String> unbound, long until) {
        List<Reservation> counted = counted(begun(unbound, now, until));
        Map<String, long[]> kept = new HashMap<>();
        for (Reservation begins : counted) {
            long at = begins.from(now);
            for (String node : begins.bookings().keySet()) {
                long[] sum = reserved(node, counted, at);
                long[] back = departures.givenBack(node, at, gone);
                for (int i = 0; i < sum.length; i++) {
                    sum[i] = Math.max(0, sum[i] - at(back, i));
                }
                kept.merge(node, sum, Profile::larger);
            }
        }
        return kept;
    }

    /** What is reserved of a node at a time. */
    private long[] reserved(String node, List<Reservation> counted, long at) {
        long[] sum = {};
        for (Reservation other : counted) {
            boolean active = other.from(now) <= at && other.until(now) > at;
            sum = active ? Departures.plus(sum, other.bookings().get(node)) : sum;
        }
        return sum;
    }

    /** The most, over the times at which one of the reservations begins, of what must be there then beyond what is used at first. */
    private long[] kept(String node, List<Reservation> counted, long from) {
        long[] first = departures.used(fleet, node, from);
        long[] most = {};
        for (Reservation begins : counted) {
            long at = Math.max(from, begins.from(now));
            if (!begins.bookings().containsKey(node)) {
                continue;
            }
            long[] sum = reserved(node, counted, at);
            long[] then = at == from ? first : departures.used(fleet, node, at);
            for (int i = 0; i < sum.length; i++) {
                sum[i] = Math.max(0, sum[i] + at(then, i) - at(first, i));
            }
            most = larger(most, sum);
        }
        return most;
    }

    /** Whether quota lets a gang in now that has left by {@code until}, beside what is reserved from it. */
    public boolean leavesQuota(Stake candidate, Collection<String> unbound, long until) {
        return quota.fits(candidate, unbound, now, until, Set.of());
    }

    /** The same once these gangs have left. */
    public boolean leavesQuotaWithout(Set<String> gone, Stake candidate, Collection<String> unbound, long until) {
        return quota.fits(candidate, unbound, now, until, gone);
    }

    /**
     * The first time and place for a gang that delays none of the reservations.
     *
     * @param before only earlier times are looked at
     * @return null when there is none
     */
    public @Nullable Reservation earliest(Wish wish, long before) {
        Outlook outlook = new Outlook(fleet, nodeClass);
        Set<String> left =
                new LinkedHashSet<>(); // nodes that somebody has left since the outlook was brought up to date
        Iterator<Occupant> leaving = departures.byEnd().iterator();
        Occupant next = leaving.hasNext() ? leaving.next() : null;
        for (long at = now; at < before; at = nextTime(at, next)) {
            while (next != null && next.end() <= at) {
                left.addAll(next.held().keySet());
                left.addAll(next.committed().keySet());
                next = leaving.hasNext() ? leaving.next() : null;
            }
            Reservation found = hasQuota(wish, at) ? at(wish, at, outlook, left) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private boolean hasQuota(Wish wish, long at) {
        return quota.fits(wish.stake(), List.of(wish.uid()), at, wish.endFrom(at), Set.of());
    }

    private @Nullable Reservation at(Wish wish, long at, Outlook outlook, Set<String> left) {
        left.forEach(node -> outlook.set(node, departures.used(fleet, node, at)));
        left.clear();
        if (!outlook.mayHold(wish.podsets())) {
            return null;
        }
        Finding.Place place = Placer.place(
                fleet,
                View.THEN,
                nodeClass,
                wish.podsets(),
                wish.interruptible(),
                kept(List.of(wish.uid()), at, wish.endFrom(at)));
        return place == null ? null : planned(wish, at, place.podsets());
    }

    /** The next time at which somebody leaves or a reservation ends. */
    private long nextTime(long after, @Nullable Occupant leaving) {
        long next = leaving == null ? Long.MAX_VALUE : leaving.end();
        for (Reservation reservation : reservations) {
            long until = reservation.until(now);
            next = until > after ? Math.min(next, until) : next;
        }
        return next;
    }

    private Reservation planned(Wish wish, long at, List<List<NodeSlots>> place) {
        return new Reservation(wish, at, place, bookings(wish, place), false, 0, Reservation.Cause.PLANNED);
    }

    /** What a place takes, by node. */
    Map<String, long[]> bookings(Wish wish, List<List<NodeSlots>> place) {
        Map<String, long[]> bookings = new TreeMap<>();
        for (int i = 0; i < place.size(); i++) {
            PodSet podset = wish.podsets().get(i);
            for (NodeSlots slots : place.get(i)) {
                long[] amount =
                        fleet.resources().vector(podset.shape().requests().times(slots.members()));
                bookings.merge(slots.node(), amount, Departures::plus);
            }
        }
        return bookings;
    }

    /** Whether a reservation can still be kept beside the others: its place and quota are there at its time. */
    public boolean keeps(Reservation reservation) {
        long at = reservation.from(now);
        long from = Math.max(now, reservation.at());
        if (reservation.at() <= now || reservation.at() == Reservation.NEVER) {
            return false;
        }
        List<String> self = List.of(reservation.wish().uid());
        long until = reservation.wish().endFrom(from);
        Map<String, long[]> kept = kept(self, from, until);
        for (Map.Entry<String, long[]> booking : reservation.bookings().entrySet()) {
            long[] used = departures.used(fleet, booking.getKey(), from);
            if (!Outlook.hasRoom(fleet, booking.getKey(), used, kept, booking.getValue())) {
                return false;
            }
        }
        return at <= from && quota.fits(reservation.wish().stake(), self, from, until, Set.of());
    }

    /**
     * The set of nodes that is best closed for a gang, with the time at which all others will have left it.
     *
     * @param besides nodes that are not to be taken
     * @return null when no set is large enough
     */
    public @Nullable Reservation collect(Wish wish, Set<String> besides) {
        Map<String, long[]> held = new HashMap<>();
        Map<String, long[]> committed = new HashMap<>();
        for (Occupant occupant : departures.byEnd()) {
            occupant.held().forEach((node, amount) -> held.merge(node, amount, Departures::plus));
            occupant.committed().forEach((node, amount) -> committed.merge(node, amount, Departures::plus));
        }
        Gathering gathering = Gathering.of(
                fleet, nodeClass, wish.podsets(), besides, Gathering.stays(fleet, nodeClass, held, committed));
        if (gathering == null) {
            return null;
        }
        Map<String, long[]> bookings = bookings(wish, gathering.podsets());
        return new Reservation(
                wish, emptyAt(bookings), gathering.podsets(), bookings, true, 0, Reservation.Cause.PLANNED);
    }

    /** When the nodes will have room for the bookings if nobody new comes; {@link Reservation#NEVER} when that is not known. */
    public long emptyAt(Map<String, long[]> bookings) {
        for (Occupant occupant : departures.byEnd()) {
            if (occupant.end() < Reservation.NEVER && isEmpty(bookings, Math.max(now, occupant.end()))) {
                return Math.max(now, occupant.end());
            }
        }
        return isEmpty(bookings, now) ? now : Reservation.NEVER;
    }

    /** Whether a reservation will surely have its place and its quota by a time, and delay no other, if these gangs go. */
    public boolean startsWithout(Collection<Occupant> these, Reservation reservation, long by) {
        Set<Occupant> gone = departures.surelyGone(these, by);
        Set<String> uids = gone.stream().map(Occupant::uid).collect(Collectors.toSet());
        List<String> self = List.of(reservation.wish().uid());
        long until = reservation.wish().endFrom(now);
        Map<String, long[]> kept = keptWithout(uids, self, until);
        return reservation.bookings().entrySet().stream()
                        .allMatch(booking -> Outlook.hasRoom(
                                fleet,
                                booking.getKey(),
                                Departures.usedWithout(fleet, booking.getKey(), gone),
                                kept,
                                booking.getValue()))
                && quota.fits(reservation.wish().stake(), self, now, until, uids);
    }

    private boolean isEmpty(Map<String, long[]> bookings, long at) {
        return bookings.entrySet().stream()
                .allMatch(booking -> Outlook.hasRoom(
                        fleet,
                        booking.getKey(),
                        departures.used(fleet, booking.getKey(), at),
                        Map.of(),
                        booking.getValue()));
    }

    private static long at(long[] vector, int index) {
        return index < vector.length ? vector[index] : 0;
    }

    private static long[] larger(long[] one, long[] other) {
        long[] larger = java.util.Arrays.copyOf(one, Math.max(one.length, other.length));
        for (int i = 0; i < other.length; i++) {
            larger[i] = Math.max(larger[i], other[i]);
        }
        return larger;
    }
}
