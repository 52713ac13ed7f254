package dev.muster.core.decide.reserve;

import dev.muster.core.model.PodSet;
import dev.muster.core.share.Stake;
import java.util.List;

/**
 * What a gang needs in one class.
 *
 * @param length how long it occupies its place at most, grace included, in milliseconds; {@link Long#MAX_VALUE} when that is
 *     not known
 */
public record Wish(String uid, List<PodSet> podsets, boolean interruptible, Stake stake, long length) {
    /** When it has left if it starts then. */
    long endFrom(long start) {
        return start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length;
    }
}
