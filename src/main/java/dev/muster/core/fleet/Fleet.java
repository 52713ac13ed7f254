package dev.muster.core.fleet;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All nodes with their classes and bookings. A node belongs to the first class, by name, whose selector it meets; nodes
 * in no class are never used. Free is worked out per node and never below 0, so a sick node does not eat a healthy one's
 * room.
 */
public final class Fleet {
    private final ResourceIndex resources = new ResourceIndex();
    private final Map<String, FleetNode> nodes = new HashMap<>();
    private final TreeMap<String, ClassFleet> classes = new TreeMap<>();
    private long version;

    /** The numbers of the resources, shared with whoever makes vectors for this fleet. */
    public ResourceIndex resources() {
        return resources;
    }

    /** A number that rises with every change of a node, a class or a booking. */
    public long version() {
        return version;
    }

    /** A node was seen. Returns whether more might fit than before (a new, wider, freed or relabelled node). */
    public boolean put(NodeFacts facts) {
        FleetNode node = nodes.computeIfAbsent(facts.name(), FleetNode::new);
        NodeFacts before = node.facts;
        if (facts.equals(before)) {
            return false;
        }
        version++;
        boolean moved = before == null || !before.labels().equals(facts.labels());
        node.facts = facts;
        measure(node, homeOf(facts));
        if (moved) {
            classify(node);
        }
        if (node.home != null) {
            node.home.refresh(node, moved);
        }
        return moved || !shrinksOnly(before, facts);
    }

    /** A node is gone; its bookings stay in mind until they are taken back. */
    public void remove(String name) {
        FleetNode node = nodes.get(name);
        if (node == null || node.facts == null) {
            return;
        }
        version++;
        node.facts = null;
        node.allocatable = new long[0];
        node.declared = new long[0];
        if (node.home != null) {
            node.home.remove(node);
        }
        forgetIfEmpty(node);
    }

    /** A class was seen: nodes are sorted anew if its selector changed. */
    public void put(NodeClass nodeClass) {
        version++;
        classes.put(nodeClass.name(), new ClassFleet(nodeClass, resources));
        nodes.values().forEach(this::classify);
    }

    /** A class is gone; its nodes go to the next that selects them. */
    public void removeClass(String name) {
        if (classes.remove(name) != null) {
            version++;
            nodes.values().forEach(this::classify);
        }
    }

    /**
     * Books ({@code sign} 1) or takes back ({@code sign} -1) an amount on one side of a node, known or not. Returns its
     * class, if any.
     */
    public Optional<String> book(Side side, String name, long[] amount, int sign) {
        version++;
        FleetNode node = nodes.computeIfAbsent(name, FleetNode::new);
        if (side == Side.HELD) {
            node.held = Vectors.add(node.held, amount, sign);
        } else {
            node.committed = Vectors.add(node.committed, amount, sign);
        }
        ClassFleet home = node.home;
        if (home == null) {
            forgetIfEmpty(node);
            return Optional.empty();
        }
        home.rebucket(node);
        return Optional.of(home.nodeClass.name());
    }

    /** All classes, by name. */
    public List<NodeClass> classes() {
        return classes.values().stream().map(fleet -> fleet.nodeClass).toList();
    }

    /** One class. */
    public Optional<NodeClass> nodeClass(String name) {
        return Optional.ofNullable(classes.get(name)).map(fleet -> fleet.nodeClass);
    }

    /** Free GPUs on the usable nodes of a class now; 0 for an unknown class. */
    public long freeGpus(String className) {
        return freeGpus(className, View.NOW);
    }

    /** Free GPUs on the usable nodes of a class under a view; 0 for an unknown class. */
    public long freeGpus(String className, View view) {
        ClassFleet fleet = classes.get(className);
        return fleet == null ? 0 : fleet.index(view).freeGpus();
    }

    /** Every node of a class as it stands, by name. */
    public List<Standing> standings(String className) {
        ClassFleet fleet = classes.get(className);
        if (fleet == null) {
            return List.of();
        }
        List<Standing> standings = new ArrayList<>();
        for (FleetNode node : fleet.nodes()) {
            standings.add(new Standing(
                    node.name,
                    node.isUsable(),
                    Vectors.at(node.allocatable, fleet.gpu),
                    node.free(View.NOW, fleet.gpu)));
        }
        return standings;
    }

    /** A node of a class: GPUs it offers and GPUs free, both in whole devices. */
    public record Standing(String node, boolean usable, long gpus, long freeGpus) {}

    /** Every known node, in no order. */
    public Collection<NodeFacts> knownNodes() {
        return nodes.values().stream()
                .map(node -> node.facts)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * What a node of a class offers, to measure pods by: the shape that the class declares for new nodes, else the most that its
     * largest node, by GPUs and then name, ever offered. That a node is sick does not change it. Nothing for an unknown or
     * empty class.
     */
    public Amounts nodeSize(String className) {
        ClassFleet fleet = classes.get(className);
        return fleet == null ? Amounts.NONE : fleet.size();
    }

    /** All GPUs that the nodes of a class offer, usable or not; 0 for an unknown class. */
    public long gpus(String className) {
        ClassFleet fleet = classes.get(className);
        return fleet == null
                ? 0
                : fleet.nodes().stream()
                        .mapToLong(node -> Vectors.at(node.allocatable, fleet.gpu))
                        .sum();
    }

    /** What was told last of a node; null when it is not known. */
    public @Nullable NodeFacts known(String name) {
        FleetNode node = nodes.get(name);
        return node == null ? null : node.facts;
    }

    /** Whether a node takes new members. */
    public boolean isUsable(String name) {
        FleetNode node = nodes.get(name);
        return node != null && node.isUsable();
    }

    /** Whether there is a node of this name. */
    public boolean knows(@Nullable String name) {
        return name != null && nodes.containsKey(name);
    }

    /** The class that a node is in; empty for none. */
    public String classOf(@Nullable String name) {
        FleetNode node = name == null ? null : nodes.get(name);
        ClassFleet home = node == null ? null : node.home;
        return home == null ? "" : home.nodeClass.name();
    }

    /** Free amounts of one node, never below 0, for audits and tests. */
    public Amounts free(String name) {
        FleetNode node = nodes.get(name);
        if (node == null) {
            return Amounts.NONE;
        }
        TreeMap<String, Long> free = new TreeMap<>();
        for (int i = 0; i < node.allocatable.length; i++) {
            free.put(resources.name(i), node.free(View.NOW, i));
        }
        return new Amounts(free);
    }

    @Nullable
    FleetNode node(String name) {
        return nodes.get(name);
    }

    @Nullable
    ClassFleet fleetOf(String className) {
        return classes.get(className);
    }

    private @Nullable ClassFleet homeOf(@Nullable NodeFacts facts) {
        return facts == null
                ? null
                : classes.values().stream()
                        .filter(fleet -> fleet.nodeClass.selects(facts))
                        .findFirst()
                        .orElse(null);
    }

    /** What the node offers, in the class that it is in. */
    private void measure(FleetNode node, @Nullable ClassFleet home) {
        if (node.facts != null) {
            Amounts said = node.facts.allocatable();
            node.allocatable = resources.vector(home == null ? said : home.nodeClass.offered(said));
            node.declared = widest(node.declared, node.allocatable);
        }
    }

    private void classify(FleetNode node) {
        ClassFleet home = homeOf(node.facts);
        if (home == node.home) {
            return;
        }
        measure(node, home);
        if (node.home != null && classes.get(node.home.nodeClass.name()) == node.home) {
            node.home.remove(node);
        }
        node.home = null;
        if (home != null) {
            home.add(node);
        }
    }

    private void forgetIfEmpty(FleetNode node) {
        if (node.facts == null) {
            boolean booked = Arrays.stream(node.held).anyMatch(amount -> amount != 0)
                    || Arrays.stream(node.committed).anyMatch(amount -> amount != 0);
            if (!booked) {
                nodes.remove(node.name);
            }
        }
    }

    private static long[] widest(long[] before, long[] now) {
        long[] widest = now.clone();
        for (int i = 0; i < widest.length; i++) {
            widest[i] = Math.max(widest[i], Vectors.at(before, i));
        }
        return widest;
    }

    private static boolean shrinksOnly(@Nullable NodeFacts before, NodeFacts after) {
        return before != null
                && before.taints().equals(after.taints())
                && (before.ready() || !after.ready())
                && (!before.cordoned() || after.cordoned())
                && before.conditions().containsAll(after.conditions())
                && after.allocatable().minusToZero(before.allocatable()).isNone();
    }
}
