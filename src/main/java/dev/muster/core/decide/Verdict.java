package dev.muster.core.decide;

import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What was decided about one gang. */
public sealed interface Verdict {
    /**
     * It can start now: place and charge of every podset.
     *
     * @param yieldsTo UIDs of the gangs to whose reservations it gives way in time; mostly none
     */
    record Fits(String nodeClass, List<PodSetPlace> podsets, List<String> yieldsTo) implements Verdict {
        public Fits {
            podsets = List.copyOf(podsets);
            yieldsTo = List.copyOf(yieldsTo);
        }

        /** The place that was found for a gang, podset by podset, with its charge. */
        static Fits of(Quotas quotas, Gang gang, String nodeClass, List<List<NodeSlots>> place, List<String> yieldsTo) {
            List<PodSetPlace> podsets = new ArrayList<>();
            for (int i = 0; i < gang.podsets().size(); i++) {
                PodSet podset = gang.podsets().get(i);
                Amounts each = quotas.chargeable(
                        gang.queue(), nodeClass, podset.shape().requests());
                podsets.add(new PodSetPlace(podset.name(), nodeClass, each, place.get(i)));
            }
            return new Fits(nodeClass, podsets, yieldsTo);
        }

        /** What the members of the gang ask of each node of the place. */
        Map<String, Amounts> requests(Gang gang) {
            Map<String, Amounts> requests = new TreeMap<>();
            for (int i = 0; i < podsets.size(); i++) {
                Amounts each = gang.podsets().get(i).shape().requests();
                podsets.get(i)
                        .nodes()
                        .forEach(slots -> requests.merge(slots.node(), each.times(slots.members()), Amounts::plus));
            }
            return requests;
        }
    }

    /**
     * It can start once these gangs have been stopped: the place that it claims, free parts included.
     *
     * @param victims UIDs of the gangs to stop, each needed
     * @param moves the new places of victims that only move, by UID
     * @param waiting what it waits for meanwhile
     */
    record Preempts(Fits claim, List<String> victims, Map<String, Fits> moves, Waiting waiting) implements Verdict {
        public Preempts {
            victims = List.copyOf(victims);
            moves = Map.copyOf(moves);
        }
    }

    /** It cannot start: the main reason, and everything of which a change could unblock it. */
    record Blocked(Waiting waiting, Set<Blocker> blockers) implements Verdict {
        public Blocked {
            blockers = Set.copyOf(blockers);
        }

        /** The same without times to look again. */
        public Blocked withoutTimes() {
            if (blockers.stream().noneMatch(Blocker.Time.class::isInstance)) {
                return this;
            }
            return new Blocked(
                    waiting,
                    blockers.stream()
                            .filter(blocker -> !(blocker instanceof Blocker.Time))
                            .collect(Collectors.toSet()));
        }
    }

    /**
     * Something of which a change may let a blocked gang start. Queues and classes are not among them: when one comes, goes or
     * changes, every lane is judged anew.
     */
    sealed interface Blocker {
        /** Quota of the tree that this root heads is given back, or what its queues are due changes. */
        record OfTree(String root) implements Blocker {}

        /** Something becomes free in this class. */
        record OfClass(String nodeClass) implements Blocker {}

        /** Somebody else takes room in this class that was to come free. */
        record OfTaken(String nodeClass) implements Blocker {}

        /** What is reserved in this class changes. */
        record OfReservations(String nodeClass) implements Blocker {}

        /** This time, in milliseconds since the epoch. */
        record Time(long at) implements Blocker {}
    }
}
