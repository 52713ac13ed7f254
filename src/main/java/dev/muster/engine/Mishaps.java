package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.GangState;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.PodReport.Trouble;
import dev.muster.core.model.QueueTerms;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.Collection;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether an admitted gang has to give its place back because something has gone wrong, and whose fault that is.
 *
 * <ol>
 *   <li>A node of it is lost, or drained, or its queue is: it goes, interruptible gangs first.
 *   <li>Until all of its needed members were ready once it is starting. A start fails when its time is over, or when a node
 *       that refused a member is struck: by the cluster's fault if any member was refused, disrupted or not scheduled, or
 *       nothing is known against the job; else by the job's own.
 *   <li>Later it may be short of members for a bounded time, in which the job's controller replaces them in their own places.
 * </ol>
 *
 * A gang that is its own pod is only subject to the first: it ends when it is stopped.
 */
final class Mishaps {
    private static final String CURE_BELOW =
            "A member is replaced in its own place; should that take too long, the whole gang is stopped and waits again.";

    private final EngineSettings.Life life;
    private final NodeWatch nodes;
    private final QueueDrains drains;

    Mishaps(EngineSettings.Life life, NodeWatch nodes, QueueDrains drains) {
        this.life = life;
        this.nodes = nodes;
        this.drains = drains;
    }

    /** Why the gang has to go now; null when it need not. Notes in its course what is wrong, and when to look again. */
    @Nullable
    Mishap of(GangEntry entry, Admission admission, Collection<PodFacts> pods, long now) {
        Course course = entry.course();
        course.again = Long.MAX_VALUE;
        course.trouble = null;
        Mishap gone = removal(entry, admission, pods, now);
        boolean isItsOwnPod = pods.stream().anyMatch(pod -> pod.uid().equals(entry.uid));
        if (gone != null || isItsOwnPod) {
            return gone;
        }
        Roster roster = Roster.of(admission, entry.status, pods);
        course.ran |= entry.status.state() == GangState.RUNNING;
        return course.ran
                ? lost(course, roster, now)
                : starting(course, begunAt(entry, admission), admission, roster, now);
    }

    /** A gang that was moved counts as admitted when it was first; its start counts from the end of its last attempt. */
    private static long begunAt(GangEntry entry, Admission admission) {
        return Math.max(admission.admittedAt(), entry.status.marks().past().lastEnd());
    }

    // ---- 1: its nodes and its queue

    private @Nullable Mishap removal(GangEntry entry, Admission admission, Collection<PodFacts> pods, long now) {
        long drainedAt = drains.since(entry.queue);
        String what = "Its queue is being drained.";
        if (nodes.removes()) {
            for (String node : nodesOf(admission, pods)) {
                if (nodes.isLost(node)) {
                    return new Mishap(Reason.NODE_LOST, nodes.lossOf(node), Fault.CLUSTER, false);
                }
                long since = nodes.drainedSince(node);
                if (since < drainedAt) {
                    drainedAt = since;
                    what = "Its node " + node + " is being drained.";
                }
            }
        }
        if (drainedAt == Long.MAX_VALUE) {
            return null;
        }
        boolean interruptible = entry.gang != null && entry.gang.interruptible();
        long due = interruptible ? drainedAt : drainedAt + drains.grace(entry.queue) + Stays.OVERRUN;
        if (now >= due) {
            return new Mishap(Reason.DRAINED, what, Fault.CLUSTER, true);
        }
        entry.course().again = due;
        return null;
    }

    /** Where its members are, and where those are to come that are not there yet. */
    private static TreeSet<String> nodesOf(Admission admission, Collection<PodFacts> pods) {
        TreeSet<String> nodes = new TreeSet<>();
        for (PodFacts pod : pods) {
            if (pod.holdsNode()) {
                nodes.add(Objects.requireNonNull(pod.node(), "it holds one"));
            }
        }
        for (PodSetPlace place : admission.podsets()) {
            for (NodeSlots slots : place.nodes()) {
                nodes.add(slots.node());
            }
        }
        return nodes;
    }

    // ---- 2: its start

    private @Nullable Mishap starting(Course course, long begun, Admission admission, Roster roster, long now) {
        if (roster.isWhole()) {
            return null;
        }
        boolean refusedByStruck = roster.troubled().stream()
                .anyMatch(pod -> pod.node() != null
                        && pod.report().trouble().fault() == Fault.CLUSTER
                        && nodes.isStruck(pod.node()));
        long deadline = begun + patience(roster);
        if (now < deadline && !refusedByStruck) {
            course.again = Math.min(course.again, deadline);
            return null;
        }
        boolean own = roster.fault() == Fault.JOB || roster.fault() == Fault.NOBODY && roster.up() >= roster.needed();
        boolean placeLost = roster.has(Trouble.UNSCHEDULABLE, Trouble.REFUSED, Trouble.DEVICE) || refusedByStruck;
        String sentence =
                "Its start failed: " + roster.ready() + " of " + roster.needed() + " members were ready after "
                        + QueueTerms.span(now - begun) + "." + roster.detail() + unsaid(admission, roster);
        return new Mishap(
                placeLost && !own ? Reason.PLACE_LOST : Reason.START_FAILED,
                sentence,
                own ? Fault.JOB : Fault.CLUSTER,
                false);
    }

    /** How long a start like this one may take, in milliseconds. */
    private long patience(Roster roster) {
        if (roster.has(Trouble.IMAGE, Trouble.CONFIGURATION, Trouble.CRASHING, Trouble.UNSCHEDULABLE, Trouble.DEVICE)) {
            return life.trouble();
        }
        return roster.troubled().isEmpty() && roster.bound() >= roster.needed() ? life.longestStart() : life.start();
    }

    private static String unsaid(Admission admission, Roster roster) {
        int missing = roster.needed() - roster.bound();
        return !roster.troubled().isEmpty() || missing <= 0
                ? ""
                : " " + missing + (missing == 1 ? " has" : " have")
                        + " come to no node of the place that was planned for "
                        + admission.podsets().get(0).podset() + ".";
    }

    // ---- 3: a member that had been there

    private @Nullable Mishap lost(Course course, Roster roster, long now) {
        if (roster.up() >= roster.needed()) {
            course.shortSince = 0;
            return null;
        }
        if (course.shortSince == 0) {
            course.shortSince = now;
        }
        long deadline = course.shortSince + life.repair();
        String count = roster.up() + " of " + roster.needed() + " members run";
        if (now >= deadline) {
            boolean own = roster.fault() == Fault.JOB;
            return new Mishap(
                    Reason.MEMBER_LOST,
                    count + ", and for " + QueueTerms.span(life.repair()) + " nobody took the place of who is missing."
                            + roster.detail(),
                    own ? Fault.JOB : Fault.CLUSTER,
                    false);
        }
        course.again = Math.min(course.again, deadline);
        course.trouble =
                new Waiting(Reason.BELOW_MINIMUM, "Below minimum: " + count + "." + roster.detail(), CURE_BELOW);
        return null;
    }
}
