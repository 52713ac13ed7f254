package dev.muster.engine;

import dev.muster.core.decide.Reserved;
import dev.muster.core.decide.reserve.Profile;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.model.Gang;
import dev.muster.core.share.Stake;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What the reservations of all classes keep from gangs that would start now. */
final class KeptRoom implements Reserved {
    private final Map<String, ClassBook> books;
    private final Yielding yielding;
    private final Stays stays;
    private final Function<String, String> title;
    private final LongSupplier now;

    /**
     * Sees changes of the books.
     *
     * @param title namespace and name of a gang by its UID
     * @param now the time of the last review
     */
    KeptRoom(
            Map<String, ClassBook> books,
            Yielding yielding,
            Stays stays,
            Function<String, String> title,
            LongSupplier now) {
        this.books = books;
        this.yielding = yielding;
        this.stays = stays;
        this.title = title;
        this.now = now;
    }

    @Override
    public Map<String, long[]> kept(Gang gang, String nodeClass, Span span) {
        Profile profile = reserved(nodeClass);
        return profile == null ? Map.of() : profile.kept(unbound(gang, span), span.until());
    }

    @Override
    public boolean leavesQuota(Gang gang, String nodeClass, Stake candidate, Span span) {
        Profile profile = reserved(nodeClass);
        return profile == null || profile.leavesQuota(candidate, unbound(gang, span), span.until());
    }

    @Override
    public Map<String, long[]> keptWithout(Set<String> gone, Gang gang, String nodeClass, Span span) {
        Profile profile = reserved(nodeClass);
        return profile == null ? Map.of() : profile.keptWithout(gone, unbound(gang, span), span.until());
    }

    @Override
    public boolean leavesQuotaWithout(Set<String> gone, Gang gang, String nodeClass, Stake candidate, Span span) {
        Profile profile = reserved(nodeClass);
        return profile == null || profile.leavesQuotaWithout(gone, candidate, unbound(gang, span), span.until());
    }

    /** The future of a class; null when nothing is reserved there. */
    private @Nullable Profile reserved(String nodeClass) {
        ClassBook book = books.get(nodeClass);
        return book == null || book.ranks.isEmpty() ? null : book.profile(now.getAsLong());
    }

    /** The gangs whose reservations do not bind it for a span: itself, and those to which it gives way. */
    private static Set<String> unbound(Gang gang, Span span) {
        Set<String> unbound = new HashSet<>(span.yieldsTo());
        unbound.add(gang.uid());
        return unbound;
    }

    @Override
    public Set<String> nodes(Gang gang, String nodeClass) {
        ClassBook book = books.get(nodeClass);
        Set<String> nodes = new HashSet<>();
        for (Reservation held : book == null ? List.<Reservation>of() : book.ranks) {
            if (!held.wish().uid().equals(gang.uid())) {
                nodes.addAll(held.bookings().keySet());
            }
        }
        return nodes;
    }

    @Override
    public Span toItsBound(Gang gang) {
        return new Span(stays.endFrom(now.getAsLong(), gang), List.of());
    }

    @Override
    public List<Span> yielding(Gang gang, String nodeClass) {
        ClassBook book = books.get(nodeClass);
        return book == null
                ? List.of()
                : yielding.spans(gang, book, now.getAsLong(), stays.endFrom(now.getAsLong(), gang));
    }

    @Override
    public Optional<For> first(Gang gang, String nodeClass) {
        ClassBook book = books.get(nodeClass);
        long end = stays.endFrom(now.getAsLong(), gang);
        return (book == null ? List.<Reservation>of() : book.ranks)
                .stream()
                        .filter(held -> held.binds() && !held.wish().uid().equals(gang.uid()))
                        .filter(held -> held.closed() || held.at() < end)
                        .findFirst()
                        .map(held -> new For(title.apply(held.wish().uid()), held.at()));
    }
}
