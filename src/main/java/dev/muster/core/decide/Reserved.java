package dev.muster.core.decide;

import dev.muster.core.model.Gang;
import dev.muster.core.share.Stake;
import java.util.Map;
import java.util.Optional;

/** What is reserved for others and therefore kept from a gang that would start now. */
public interface Reserved {
    /** Nothing is reserved. */
    Reserved NOTHING = new Reserved() {
        @Override
        public Map<String, long[]> kept(Gang gang, String nodeClass) {
            return Map.of();
        }

        @Override
        public boolean leavesQuota(Gang gang, String nodeClass, Stake candidate) {
            return true;
        }

        @Override
        public Optional<For> first(Gang gang, String nodeClass) {
            return Optional.empty();
        }
    };

    /** What must stay free, by node, over the fleet's resources, while the gang runs to its bound. */
    Map<String, long[]> kept(Gang gang, String nodeClass);

    /** Whether reserved quota lets the gang in. */
    boolean leavesQuota(Gang gang, String nodeClass, Stake candidate);

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
