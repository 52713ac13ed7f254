package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Reserved;
import dev.muster.core.decide.reserve.Occupant;
import dev.muster.core.decide.reserve.Profile;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.decide.reserve.Reservation.Cause;
import dev.muster.core.decide.reserve.Wish;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.share.Stake;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The reservations of the first blocked gangs of each class, kept right while gangs come, run, overrun and leave.
 *
 * <p>A gang keeps its rank until it starts. Its time falls whenever that delays no other reservation; it rises only when its
 * plan has become impossible, and the cause is recorded. A gang that is old and has no kept time collects: the set of nodes
 * with the fewest GPUs outstanding is closed for it.
 */
final class Reservations {
    private final EngineSettings.Reserving settings;
    private final Fleet fleet;
    private final Quotas quotas;
    private final Stays stays;
    private final Map<String, GangEntry> gangs;
    private final Map<String, ClassBook> books = new TreeMap<>();
    private long now;
    /** Whether nodes, queues or classes have changed since the last review. */
    private boolean stirred;

    private final List<GangEntry> losers = new ArrayList<>();

    private final Yielding yielding;
    private final KeptRoom kept;
    /** Stored reservations that have still to be taken up, by class. */
    private final Map<String, List<Views.Promise>> remembered = new TreeMap<>();
    /** Rises whenever somebody gets, loses or gives up a rank. */
    private long holders;

    Reservations(
            EngineSettings.Reserving settings, Fleet fleet, Quotas quotas, Stays stays, Map<String, GangEntry> gangs) {
        this.settings = settings;
        this.fleet = fleet;
        this.quotas = quotas;
        this.stays = stays;
        this.gangs = gangs;
        yielding = new Yielding(quotas, gangs);
        kept = new KeptRoom(books, yielding, stays, this::title, () -> now);
    }

    /** What is reserved, as it is kept from others. */
    Reserved kept() {
        return kept;
    }

    // ---- who is there

    /** What a gang holds has changed. */
    void moved(Holding holding) {
        Gang gang = holding.placed();
        Admission place = holding.place();
        if (gang == null || place == null || place.podsets().isEmpty()) {
            books.values().forEach(book -> book.leave(holding.uid));
            yielding.leave(holding.uid);
            return;
        }
        String nodeClass = place.podsets().get(0).nodeClass();
        ClassBook book = book(nodeClass);
        if (holding.isClaim() || holding.isStopping()) {
            book.change(holding.isClaim() ? Cause.PREEMPTION : Cause.OVERRUN);
        }
        long bound = stays.end(gang, place, holding, now);
        yielding.take(holding, place, nodeClass, bound);
        book.occupy(new Occupant(
                holding.uid,
                place.admittedAt(),
                Math.min(bound, yielding.end(holding.uid, books)),
                holding.isStopping() && !holding.isClaim()
                        || stays.isSure(gang) && place.yieldsTo().isEmpty(),
                fleet.resources().vectors(holding.bookedNow),
                fleet.resources().vectors(holding.bookedLater)));
    }

    /** Nodes, queues, classes or foreign pods have changed. */
    void changed(Cause cause) {
        stirred = true;
        books.values().forEach(book -> book.change(cause));
    }

    private ClassBook book(String nodeClass) {
        return books.computeIfAbsent(nodeClass, name -> new ClassBook(name, fleet, quotas));
    }

    private String title(String uid) {
        GangEntry entry = gangs.get(uid);
        return entry == null ? uid : entry.namespace + "/" + entry.name;
    }

    // ---- who holds what

    /** The gangs that hold a reservation, class by class in rank order. */
    List<GangEntry> holders() {
        List<GangEntry> holders = new ArrayList<>();
        for (ClassBook book : books.values()) {
            for (Reservation held : book.ranks) {
                GangEntry entry = gangs.get(held.wish().uid());
                if (entry != null) {
                    holders.add(entry);
                }
            }
        }
        return holders;
    }

    /** Whether a class has a rank that nobody holds. */
    boolean hasRank(String nodeClass) {
        return book(nodeClass).ranks.size() < settings.ranks();
    }

    /** Whether the first gang of a lane may get a rank: not when it was refused one while the same gangs held them. */
    boolean mayGive(Lane lane) {
        return settings.ranks() > 0 && !new Lane.Refused(lane.head(), holders).equals(lane.rankRefused);
    }

    /** The first gang of the lane got no rank. */
    void refused(Lane lane) {
        lane.rankRefused = new Lane.Refused(lane.head(), holders);
    }

    /**
     * Gives a blocked gang a rank, in the class in which it starts first. Where all ranks are held, a gang that its queue
     * covers takes the last one of another queue's gang that is not covered there. Returns that class; empty when it gets
     * none.
     */
    String offer(Gang gang, Judge judge) {
        Reservation best = null;
        String where = "";
        Reservation displaced = null;
        for (Map.Entry<String, Amounts> charge : judge.charges(gang)) {
            NodeClass nodeClass = fleet.nodeClass(charge.getKey()).orElse(null);
            ClassBook book = book(charge.getKey());
            if (nodeClass == null) {
                continue;
            }
            Wish wish = wish(gang, judge.candidate(gang, nodeClass));
            boolean full = book.ranks.size() >= settings.ranks();
            Reservation loses = full ? displaced(wish.stake(), book) : null;
            if (full && loses == null) {
                continue;
            }
            Profile profile = full ? book.profile(now).with(without(book.ranks, loses)) : book.profile(now);
            Reservation planned = profile.earliest(wish, Reservation.NEVER);
            planned = planned != null ? planned : Plans.unknown(wish, 0, Cause.PLANNED);
            if (best == null || planned.at() < best.at()) {
                best = planned;
                where = charge.getKey();
                displaced = loses;
            }
        }
        if (displaced != null) {
            book(where).ranks.remove(displaced);
            book(where).change(Cause.HIGHER_RANK);
            losers.add(gangs.get(displaced.wish().uid()));
        }
        if (best != null) {
            holders++;
            book(where).ranks.add(best);
            book(where).ranksChanged(now);
        }
        return where;
    }

    /** Whose rank a gang would take; null when nobody's. Inside one queue the order of its line stands. */
    private @Nullable Reservation displaced(Stake newcomer, ClassBook book) {
        List<Reservation> others = book.ranks.stream()
                .filter(held -> held.wish().stake().queue() != newcomer.queue())
                .filter(held -> gangs.containsKey(held.wish().uid()))
                .toList();
        Reservation last = null;
        for (Reservation held : others) {
            last = quotas.coversInQueue(held.wish().stake()) ? last : held;
        }
        return last != null && quotas.coversInQueue(newcomer) ? last : null;
    }

    private static List<Reservation> without(List<Reservation> ranks, @Nullable Reservation one) {
        return ranks.stream().filter(held -> held != one).toList();
    }

    /** What a gang needs in one class. */
    Wish wish(Gang gang, Stake stake) {
        return new Wish(gang.uid(), gang.podsets(), gang.interruptible(), stake, stays.length(gang));
    }

    // ---- what was stored

    /** The stored reservations of a class, in rank order, to go on from when this engine leads next. */
    void remember(String nodeClass, List<Views.Promise> promises) {
        remembered.put(nodeClass, promises);
    }

    /**
     * Takes up the stored reservations: whoever still waits gets its rank back and is planned anew. Returns all whose rank is
     * another now, and in which class they have one, or none.
     */
    Map<GangEntry, String> restore(long time, Judge judge) {
        now = time;
        Map<GangEntry, String> changed = new LinkedHashMap<>();
        remembered.forEach((nodeClass, promises) -> {
            ClassBook book = book(nodeClass);
            book.ranks.stream()
                    .map(held -> gangs.get(held.wish().uid()))
                    .filter(Objects::nonNull)
                    .forEach(entry -> changed.put(entry, ""));
            book.ranks.clear();
            book.extendOverruns(now);
            for (Views.Promise promise : promises.subList(0, Math.min(promises.size(), settings.ranks()))) {
                GangEntry entry = gangs.get(promise.gangUid());
                Gang gang = entry == null || entry.lane == null ? null : entry.gang;
                Stake stake = gang == null ? null : stakeIn(nodeClass, gang, judge);
                if (gang != null
                        && stake != null
                        && changed.getOrDefault(entry, "").isEmpty()) {
                    changed.put(entry, nodeClass);
                    book.ranksChanged(now);
                    book.ranks.add(Plans.anew(wish(gang, stake), promise, book.profile(now)));
                }
            }
            book.ranksChanged(now);
            holders++;
        });
        remembered.clear();
        return changed;
    }

    /** A gang as a candidate for a class; null when it may not use it, or not any more. */
    private @Nullable Stake stakeIn(String nodeClass, Gang gang, Judge judge) {
        NodeClass of = fleet.nodeClass(nodeClass).orElse(null);
        return of != null
                        && quotas.tree().indexOf(gang.queue()) >= 0
                        && judge.charges(gang).stream()
                                .anyMatch(charge -> charge.getKey().equals(nodeClass))
                ? judge.candidate(gang, of)
                : null;
    }

    /** A gang gives its rank up. Returns the class in which it had one; empty when it had none. */
    String drop(GangEntry entry) {
        String nodeClass = entry.reservedIn;
        ClassBook book = books.get(nodeClass);
        if (book == null || !book.ranks.removeIf(held -> held.wish().uid().equals(entry.uid))) {
            return "";
        }
        holders++;
        book.freed = true;
        book.ranksChanged(now);
        return nodeClass;
    }

    // ---- plans

    /** Whether nodes, queues or classes have changed since the last review. */
    boolean isStirred() {
        return stirred;
    }

    /** Brings all plans up to date. Returns the classes in which something that is reserved has changed, or a rank came free. */
    Set<String> review(long time, Judge judge) {
        now = time;
        stirred = false;
        Set<String> changed = new HashSet<>();
        yielding.follow(books, now);
        for (ClassBook book : books.values()) {
            book.extendOverruns(now);
            if (book.ranks.removeIf(this::isOver)) {
                holders++;
                book.freed = true;
                book.ranksChanged(now);
                changed.add(book.nodeClass);
            }
            if (!book.ranks.isEmpty()) {
                if (book.disturbed == Cause.POLICY && renewWishes(book, judge)) {
                    changed.add(book.nodeClass);
                }
                if (new Plans(settings, fleet, gangs, book, now).review()) {
                    changed.add(book.nodeClass);
                }
            }
            book.freed = false;
            book.disturbed = null;
        }
        return changed;
    }

    private boolean isOver(Reservation held) {
        GangEntry entry = gangs.get(held.wish().uid());
        return entry == null || entry.lane == null || entry.reservedIn.isEmpty();
    }

    /** The gangs that have lost their rank since the last call. */
    List<GangEntry> takeLosers() {
        List<GangEntry> taken = List.copyOf(losers);
        losers.clear();
        return taken;
    }

    /** Gangs that have to give way to a reservation from now on, and to whose. */
    Map<GangEntry, String> due() {
        return yielding.due(books, now);
    }

    /** Quotas or classes have changed: whoever may no longer use the class loses the rank. Returns whether somebody did. */
    private boolean renewWishes(ClassBook book, Judge judge) {
        List<Reservation> kept = new ArrayList<>();
        for (Reservation held : book.ranks) {
            GangEntry entry = gangs.get(held.wish().uid());
            Gang gang = entry == null ? null : entry.gang;
            Stake stake = gang == null ? null : stakeIn(book.nodeClass, gang, judge);
            if (gang != null && stake != null) {
                kept.add(new Reservation(
                        wish(gang, stake),
                        held.at(),
                        held.place(),
                        held.bookings(),
                        held.closed(),
                        held.slips(),
                        held.cause()));
            } else if (entry != null) {
                losers.add(entry);
            }
        }
        boolean lost = kept.size() < book.ranks.size();
        holders++;
        book.ranks.clear();
        book.ranks.addAll(kept);
        book.change(Cause.POLICY);
        return lost;
    }

    /** When time alone changes a plan, after the last review; {@link Long#MAX_VALUE} when never. */
    long wakeAt() {
        long next = yielding.wakeAt(books, now);
        for (ClassBook book : books.values()) {
            next = Math.min(next, book.wakeAt());
            for (Reservation held : book.ranks) {
                next = held.at() > now ? Math.min(next, held.at()) : next;
                GangEntry entry = gangs.get(held.wish().uid());
                long old = entry == null ? 0 : entry.waitsSince + settings.saveAfter();
                next = old > now ? Math.min(next, old) : next;
            }
        }
        return next;
    }

    /** The reservations in one class, in rank order: as they were stored, until they are taken up. */
    List<Views.Promise> promises(String nodeClass) {
        List<Views.Promise> stored = remembered.get(nodeClass);
        if (stored != null) {
            return stored;
        }
        ClassBook book = books.get(nodeClass);
        return book == null ? List.of() : book.promises(this::title);
    }

    /** All reservations, class by class in rank order. */
    List<Views.Promise> promises() {
        return books.values().stream()
                .flatMap(book -> book.promises(this::title).stream())
                .toList();
    }

    /** The reservation that a gang holds; null when it holds none. */
    Views.@Nullable Promise promise(GangEntry entry) {
        ClassBook book = books.get(entry.reservedIn);
        return (book == null ? List.<Views.Promise>of() : book.promises(this::title))
                .stream()
                        .filter(promise -> promise.gangUid().equals(entry.uid))
                        .findFirst()
                        .orElse(null);
    }
}
