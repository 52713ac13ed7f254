package dev.muster.core.decide;

import dev.muster.core.model.Gang;
import dev.muster.core.share.Stake;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is reserved for others and therefore kept from a gang that would start now. */
public interface Reserved {
    /** Nothing is reserved. */
    Reserved NOTHING = new Reserved() {
        @Override
        public Map<String, long[]> kept(Gang gang, String nodeClass, Span span) {
            return Map.of();
        }

        @Override
        public boolean leavesQuota(Gang gang, String nodeClass, Stake candidate, Span span) {
            return true;
        }

        @Override
        public Map<String, long[]> keptWithout(Set<String> gone, Gang gang, String nodeClass, Span span) {
            return Map.of();
        }

        @Override
        public boolean leavesQuotaWithout(Set<String> gone, Gang gang, String nodeClass, Stake candidate, Span span) {
            return true;
        }

        @Override
        public Set<String> nodes(Gang gang, String nodeClass) {
            return Set.of();
        }

        @Override
        public Span toItsBound(Gang gang) {
            return new Span(Long.MAX_VALUE, List.of());
        }

        @Override
        public List<Span> yielding(Gang gang, String nodeClass) {
            return List.of();
        }

        @Override
        public Optional<For> first(Gang gang, String nodeClass) {
            return Optional.empty();
        }
    };

    /** What must stay free, by node, over the fleet's resources, for a gang that starts now and stays for the span. */
    Map<String, long[]> kept(Gang gang, String nodeClass, Span span);

    /** Whether reserved quota lets the gang in for the span. */
    boolean leavesQuota(Gang gang, String nodeClass, Stake candidate, Span span);

    /**
     * What must stay free, beyond what is committed, for a gang that starts as soon as all that are stopping have left, and
     * others with them.
     *
     * @param gone UIDs of those others
     */
    Map<String, long[]> keptWithout(Set<String> gone, Gang gang, String nodeClass, Span span);

    /** Whether reserved quota lets the gang in for the span once others, of these UIDs, have left. */
    boolean leavesQuotaWithout(Set<String> gone, Gang gang, String nodeClass, Stake candidate, Span span);

    /** The nodes of all places that are reserved for others. */
    Set<String> nodes(Gang gang, String nodeClass);

    /** How long the gang stays when it runs to its bound. */
    Span toItsBound(Gang gang);

    /**
     * How long it could stay if it gave way to reservations, the longest first. Each span leaves it its protection and
     * its grace.
     */
    List<Span> yielding(Gang gang, String nodeClass);

    /**
     * How long a gang stays that starts now.
     *
     * @param until when it has left, in milliseconds since the epoch; {@link Long#MAX_VALUE} when that is not known
     * @param yieldsTo UIDs of the gangs whose reservations are to be passed over, because it gives way to them
     */
    record Span(long until, List<String> yieldsTo) {
        public Span {
            yieldsTo = List.copyOf(yieldsTo);
        }
    }

    /** The first reservation that the gang could delay. */
    Optional<For> first(Gang gang, String nodeClass);

    /**
     * Whose reservation, for people.
     *
     * @param title namespace and name of the holder
     * @param at its time, in milliseconds since the epoch; {@link Long#MAX_VALUE} when none is known
     */
    record For(String title, long at) {}
}
