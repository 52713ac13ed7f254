package dev.muster.engine;

import dev.muster.core.decide.Reserved;
import dev.muster.core.fleet.Finding;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Placer;
import dev.muster.core.fleet.View;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Other places for members that were lost with their node, while the rest of their gang runs on.
 *
 * <p>The slots of a node that takes nobody and on which no member is left go to other nodes of the same class, in the same
 * order of ranks, before replacements are made; class, count and charge stay. A podset with a wish for topology is not
 * repaired elsewhere: its gang is stopped whole when nobody comes to its own place. What is reserved for others stays
 * reserved. Each repair is booked before the next is looked at.
 */
final class Repairs {
    private final Fleet fleet;
    private final Ledger ledger;
    private final Reserved reserved;

    Repairs(Fleet fleet, Ledger ledger, Reserved reserved) {
        this.fleet = fleet;
        this.ledger = ledger;
        this.reserved = reserved;
    }

    /** The write that gives lost members other places; null when none is needed, or there are none for all of them. */
    @Nullable
    Action make(GangEntry entry, Admission admission, Collection<PodFacts> pods) {
        Gang gang = entry.gang;
        TreeSet<String> dead = deadNodes(admission, pods);
        if (gang == null || dead.isEmpty()) {
            return null;
        }
        List<PodSetPlace> places = repaired(gang, admission, dead);
        if (places == null) {
            return null;
        }
        Admission repaired = new Admission(
                admission.version(), admission.attempt(), admission.admittedAt(), places, admission.yieldsTo());
        ledger.admit(entry.holder(), repaired, entry.status.remaining(), false, null);
        ledger.apply(entry.uid);
        return new Action.Repair(
                entry.target(),
                repaired,
                "Members that were lost on " + String.join(", ", dead) + " get other places; the rest runs on.");
    }

    /** Nodes of the place that take nobody, and on which no member is, but some is missed. */
    private TreeSet<String> deadNodes(Admission admission, Collection<PodFacts> pods) {
        TreeSet<String> dead = new TreeSet<>();
        for (PodSetPlace place : admission.podsets()) {
            for (NodeSlots slots : place.nodes()) {
                long ended = pods.stream()
                        .filter(pod -> slots.node().equals(pod.node()) && pod.hasEndedWell())
                        .count();
                if (!fleet.isUsable(slots.node()) && ended < slots.members()) {
                    dead.add(slots.node());
                }
            }
        }
        for (PodFacts pod : pods) {
            if (pod.staysOnNode()) {
                dead.remove(pod.node());
            }
        }
        return dead;
    }

    /** All places, with others for what is on dead nodes, found together; null when there are none for all of it. */
    private @Nullable List<PodSetPlace> repaired(Gang gang, Admission admission, TreeSet<String> dead) {
        Map<String, List<PodSet>> missing = new TreeMap<>();
        for (PodSetPlace place : admission.podsets()) {
            int lost = place.nodes().stream()
                    .filter(slots -> dead.contains(slots.node()))
                    .mapToInt(NodeSlots::members)
                    .sum();
            PodSet podset = lost == 0 ? null : untied(gang, place.podset());
            if (podset != null) {
                missing.computeIfAbsent(place.nodeClass(), nodeClass -> new ArrayList<>())
                        .add(new PodSet(podset.name(), lost, lost, podset.shape(), podset.ranked(), null));
            } else if (lost > 0) {
                return null;
            }
        }
        Map<String, List<NodeSlots>> found = new HashMap<>();
        for (Map.Entry<String, List<PodSet>> ofClass : missing.entrySet()) {
            Map<String, long[]> kept = reserved.kept(gang, ofClass.getKey(), reserved.toItsBound(gang));
            Finding.Place place =
                    Placer.place(fleet, View.NOW, ofClass.getKey(), ofClass.getValue(), gang.interruptible(), kept);
            if (place == null) {
                return null;
            }
            for (int i = 0; i < ofClass.getValue().size(); i++) {
                found.put(
                        ofClass.getValue().get(i).name(),
                        new ArrayList<>(place.podsets().get(i)));
            }
        }
        return admission.podsets().stream()
                .map(place -> moved(place, dead, found.get(place.podset())))
                .toList();
    }

    private static @Nullable PodSet untied(Gang gang, String name) {
        return gang.podsets().stream()
                .filter(one -> one.name().equals(name) && one.topology() == null)
                .findFirst()
                .orElse(null);
    }

    private static PodSetPlace moved(PodSetPlace place, TreeSet<String> dead, @Nullable List<NodeSlots> others) {
        if (others == null) {
            return place;
        }
        List<NodeSlots> nodes = new ArrayList<>();
        for (NodeSlots slots : place.nodes()) {
            if (dead.contains(slots.node())) {
                take(others, slots.members(), nodes);
            } else {
                nodes.add(slots);
            }
        }
        return new PodSetPlace(place.podset(), place.nodeClass(), place.perMember(), nodes);
    }

    /** Moves so many members from the front of one list to the end of another. */
    private static void take(List<NodeSlots> from, int members, List<NodeSlots> to) {
        int left = members;
        while (left > 0) {
            NodeSlots first = from.remove(0);
            int here = Math.min(left, first.members());
            to.add(new NodeSlots(first.node(), here));
            left -= here;
            if (first.members() > here) {
                from.add(0, new NodeSlots(first.node(), first.members() - here));
            }
        }
    }
}
