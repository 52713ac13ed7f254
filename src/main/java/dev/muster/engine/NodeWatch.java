package dev.muster.engine;

import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodReport.Trouble;
import dev.muster.core.model.QueueTerms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes over time, between what is seen and what the fleet is told.
 *
 * <p>A node that is away or not ready takes nobody at once, and is <em>lost</em> when that has lasted for a while. One whose
 * labels put it in no class any more keeps them for as long, and takes nobody meanwhile. One that refuses members in a row is
 * <em>struck</em>: it takes nobody for a while that doubles with each time. One with the taint {@value #DRAIN} is drained.
 * Only nodes with something odd are kept here. Times are stamped by {@link #due}, for events carry none; a restart begins
 * them anew.
 */
final class NodeWatch {
    /** Key of the taint with which somebody has a node drained. */
    static final String DRAIN = "muster.dev/drain";

    private static final int MOST_DOUBLINGS = 3;
    private static final int MOST_REMEMBERED = 64;
    /** For how long a lost node that does not exist is remembered. */
    private static final long MEMORY = 3_600_000;

    private static final long NEVER = Long.MAX_VALUE;
    private static final long FRESH = -1;

    private final EngineSettings.Life life;
    private final Fleet fleet;
    private final Consumer<String> wider;
    private final Map<String, Odd> odd = new TreeMap<>();
    private final Set<Odd> fresh = new LinkedHashSet<>();
    private long next = NEVER;
    private boolean removes;

    /** A node with something odd; each time is {@link #NEVER} while it is not so, or {@link #FRESH}. */
    private static final class Odd {
        final String name;

        @Nullable
        NodeFacts seen;

        @Nullable
        NodeFacts well;

        long sickSince = NEVER;
        long strangeSince = NEVER;
        long drainedSince = NEVER;
        boolean lost;
        final Set<String> refusals = new LinkedHashSet<>();
        /** Pods that have become ready there, so that one that stays so counts once. */
        final Set<String> readied = new LinkedHashSet<>();

        int inARow;
        int strikes;
        long struckUntil;

        Odd(String name) {
            this.name = name;
        }

        boolean isWell() {
            return seen != null
                    && sickSince == NEVER
                    && strangeSince == NEVER
                    && drainedSince == NEVER
                    && refusals.isEmpty();
        }
    }

    /**
     * One that knows no node.
     *
     * @param wider told of each class in which more may fit than before
     */
    NodeWatch(EngineSettings.Life life, Fleet fleet, Consumer<String> wider) {
        this.life = life;
        this.fleet = fleet;
        this.wider = wider;
    }

    /** A node was seen. */
    void seen(NodeFacts facts) {
        boolean drains = facts.taints().stream().anyMatch(taint -> taint.key().equals(DRAIN));
        NodeFacts before = fleet.known(facts.name());
        boolean strange = before != null && isInAClass(before) && !isInAClass(facts);
        Odd known = odd.get(facts.name());
        if (known == null && facts.ready() && !drains && !strange) {
            tell(facts);
            return;
        }
        Odd node = known == null ? odd.computeIfAbsent(facts.name(), Odd::new) : known;
        node.seen = facts;
        node.well = strange && node.strangeSince == NEVER ? before : node.well;
        node.sickSince = since(node.sickSince, !facts.ready());
        node.strangeSince = since(node.strangeSince, strange);
        node.drainedSince = since(node.drainedSince, drains);
        node.lost &= node.sickSince != NEVER;
        fresh.add(node);
        tell(effective(node));
        if (node.isWell()) {
            odd.remove(node.name);
        }
    }

    /** A node is gone. */
    void gone(String name) {
        Odd node = odd.computeIfAbsent(name, Odd::new);
        node.seen = null;
        node.sickSince = since(node.sickSince, true);
        fresh.add(node);
        fleet.remove(name);
    }

    /** A pod was seen: whether its node has refused it, or works. */
    void seen(PodFacts pod) {
        String name = pod.node();
        if (name == null || pod.membership() == null) {
            return;
        }
        Trouble trouble = pod.report().trouble();
        if (trouble == Trouble.REFUSED || trouble == Trouble.DEVICE) {
            Odd node = odd.computeIfAbsent(name, Odd::new);
            node.seen = node.seen == null && node.sickSince == NEVER ? fleet.known(name) : node.seen;
            if (node.refusals.add(pod.uid())) {
                forgetOldest(node.refusals);
                node.inARow++;
                fresh.add(node);
            }
        } else if (pod.phase() == PodFacts.Phase.READY) {
            Odd node = odd.get(name);
            if (node != null && node.readied.add(pod.uid()) && node.struckUntil == 0 && node.inARow > 0) {
                forgetOldest(node.readied);
                node.inARow = 0;
                node.strikes = 0;
            }
        }
    }

    private static void forgetOldest(Set<String> uids) {
        if (uids.size() > MOST_REMEMBERED) {
            uids.remove(uids.iterator().next());
        }
    }

    /** Stamps what is new and does what time alone brings. Returns the nodes that have changed by it. */
    Set<String> due(long now) {
        if (fresh.isEmpty() && now < next) {
            return Set.of();
        }
        Set<String> touched = new TreeSet<>();
        for (Odd node : fresh) {
            stamp(node, now, touched);
        }
        fresh.clear();
        next = NEVER;
        removes = false;
        for (Odd node : List.copyOf(odd.values())) {
            pass(node, now, touched);
            next = Math.min(next, nextOf(node, now));
            removes |= node.lost || node.drainedSince != NEVER;
        }
        return touched;
    }

    private void stamp(Odd node, long now, Set<String> touched) {
        node.sickSince = node.sickSince == FRESH ? now : node.sickSince;
        node.strangeSince = node.strangeSince == FRESH ? now : node.strangeSince;
        if (node.drainedSince == FRESH) {
            node.drainedSince = now;
            touched.add(node.name);
        }
        if (node.inARow >= life.strikes()) {
            node.struckUntil = now + (life.struck() << Math.min(node.strikes, MOST_DOUBLINGS));
            node.strikes++;
            node.inARow = 0;
            touched.add(node.name);
            retell(node);
        }
    }

    private void pass(Odd node, long now, Set<String> touched) {
        if (!node.lost && node.sickSince != NEVER && now >= node.sickSince + life.blink()) {
            node.lost = true;
            touched.add(node.name);
        }
        if (node.struckUntil != 0 && now >= node.struckUntil) {
            node.struckUntil = 0;
            touched.add(node.name);
            retell(node);
        }
        if (node.strangeSince != NEVER && now >= node.strangeSince + life.blink()) {
            node.strangeSince = NEVER;
            node.well = null;
            touched.add(node.name);
            retell(node);
        }
        if (node.isWell() || node.seen == null && node.sickSince != NEVER && now >= node.sickSince + MEMORY) {
            odd.remove(node.name);
        }
    }

    private long nextOf(Odd node, long now) {
        long next = node.struckUntil == 0 ? NEVER : node.struckUntil;
        next = node.strangeSince == NEVER ? next : Math.min(next, node.strangeSince + life.blink());
        if (node.sickSince != NEVER) {
            long at = node.lost ? node.seen == null ? node.sickSince + MEMORY : NEVER : node.sickSince + life.blink();
            next = Math.min(next, at);
        }
        return Math.max(next, now + 1);
    }

    /** When time alone changes something; {@link Long#MAX_VALUE} when never. */
    long nextAt() {
        return next;
    }

    private static long since(long before, boolean now) {
        return !now ? NEVER : before == NEVER ? FRESH : before;
    }

    private boolean isInAClass(NodeFacts facts) {
        return fleet.classes().stream().anyMatch(nodeClass -> nodeClass.selects(facts));
    }

    private void retell(Odd node) {
        if (node.seen != null) {
            tell(effective(node));
        }
    }

    private static NodeFacts effective(Odd node) {
        NodeFacts seen = Objects.requireNonNull(node.seen, "a node that is told of was seen");
        boolean strange = node.strangeSince != NEVER && node.well != null;
        boolean closed = seen.cordoned() || strange || node.struckUntil != 0 || node.drainedSince != NEVER;
        return new NodeFacts(
                seen.name(),
                strange && node.well != null ? node.well.labels() : seen.labels(),
                seen.taints(),
                seen.allocatable(),
                seen.ready(),
                closed,
                seen.conditions());
    }

    private void tell(NodeFacts facts) {
        if (fleet.put(facts)) {
            fleet.classes().stream()
                    .filter(nodeClass -> nodeClass.selects(facts))
                    .forEach(nodeClass -> wider.accept(nodeClass.name()));
        }
    }

    // ---- what can be asked

    /** Whether some node is lost or drained; while none is, nobody need ask further. */
    boolean removes() {
        return removes;
    }

    boolean isLost(String name) {
        Odd node = odd.get(name);
        return node != null && node.lost;
    }

    boolean isStruck(String name) {
        return struckUntil(name) != 0;
    }

    /** Until when a node takes nobody, in milliseconds since the epoch; 0 when it is not struck. */
    long struckUntil(String name) {
        Odd node = odd.get(name);
        return node == null ? 0 : node.struckUntil;
    }

    /** Since when a node is drained, in milliseconds since the epoch; {@link Long#MAX_VALUE} when it is not. */
    long drainedSince(String name) {
        Odd node = odd.get(name);
        return node == null || node.drainedSince == FRESH ? NEVER : node.drainedSince;
    }

    /** What is told of a lost node. */
    String lossOf(String name) {
        Odd node = odd.get(name);
        boolean isGone = node == null || node.seen == null;
        return "Its node " + name + (isGone ? " is gone" : " is not ready") + " for more than "
                + QueueTerms.span(life.blink()) + ".";
    }

    /** What is odd about a node, in words; empty when nothing is. */
    String oddity(String name, long now) {
        Odd node = odd.get(name);
        if (node == null) {
            return "";
        }
        List<String> said = new ArrayList<>();
        if (node.struckUntil > now) {
            said.add("struck: it refused members, and takes none until " + Instant.ofEpochMilli(node.struckUntil));
        }
        if (node.drainedSince != NEVER) {
            said.add("being drained");
        }
        if (node.lost) {
            said.add("lost");
        }
        if (node.strangeSince != NEVER) {
            said.add("its labels are gone");
        }
        return String.join("; ", said);
    }
}
