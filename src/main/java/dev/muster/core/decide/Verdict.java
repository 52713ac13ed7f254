package dev.muster.core.decide;

import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Waiting;
import java.util.List;
import java.util.Set;

/** What was decided about one gang. */
public sealed interface Verdict {
    /** It can start now: place and charge of every podset. */
    record Fits(String nodeClass, List<PodSetPlace> podsets) implements Verdict {
        public Fits {
            podsets = List.copyOf(podsets);
        }
    }

    /** It cannot start: the main reason, and everything of which a change could unblock it. */
    record Blocked(Waiting waiting, Set<Blocker> blockers) implements Verdict {
        public Blocked {
            blockers = Set.copyOf(blockers);
        }
    }

    /** Something of which a change may let a blocked gang start. */
    sealed interface Blocker {
        /** Quota of this queue is given back or raised, or the queue itself changes. */
        record OfQueue(String queue) implements Blocker {}

        /** Something becomes free in this class. */
        record OfClass(String nodeClass) implements Blocker {}

        /** Classes come, go or change. */
        record AnyClass() implements Blocker {}

        /** The tree of queues changes. */
        record AnyQueue() implements Blocker {}
    }
}
