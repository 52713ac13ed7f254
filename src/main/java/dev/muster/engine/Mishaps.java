package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.GangState;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.PodReport.Trouble;
import dev.muster.core.model.QueueTerms;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
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
    private final Function<String, Set<String>> booked;

    /**
     * One that has seen nothing.
     *
     * @param booked by a gang's UID the nodes that it really holds
     */
    Mishaps(EngineSettings.Life life, NodeWatch nodes, QueueDrains drains, Function<String, Set<String>> booked) {
        this.life = life;
        this.nodes = nodes;
        this.drains = drains;
        this.booked = booked;
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
        if (entry.status.state() == GangState.STOPPING && !course.ran) {
            return null; // whether it had run before it was told to stop was perhaps seen by another leader alone
        }
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
            for (String node : nodesOf(entry.uid, admission, pods)) {
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

    /**
     * Where its members are, and where those are to come that are not there yet. Who is leaving a node outside of the place
     * does not bind the gang to it: its member was given another.
     */
    private TreeSet<String> nodesOf(String uid, Admission admission, Collection<PodFacts> pods) {
        TreeSet<String> held = new TreeSet<>(booked.apply(uid));
        Set<String> planned = admission.podsets().stream()
                .flatMap(place -> place.nodes().stream())
                .map(NodeSlots::node)
                .collect(Collectors.toSet());
        held.removeIf(node -> !planned.contains(node)
                && pods.stream().noneMatch(pod -> node.equals(pod.node()) && pod.staysOnNode()));
        return held;
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
        long deadline = deadline(course, begun, roster, now);
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

    /** By when a start like this one has to be over, in milliseconds since the epoch. */
    private long deadline(Course course, long begun, Roster roster, long now) {
        boolean isTroubled = roster.has(
                Trouble.IMAGE, Trouble.CONFIGURATION, Trouble.CRASHING, Trouble.UNSCHEDULABLE, Trouble.DEVICE);
        course.troubledSince = !isTroubled ? 0 : course.troubledSince == 0 ? now : course.troubledSince;
        boolean isBound = roster.bound() >= roster.needed();
        if (isBound) {
            course.wasBound = true;
            course.unboundSince = 0;
        } else if (course.unboundSince == 0) {
            course.unboundSince = course.wasBound ? now : begun;
        }
        long general = isBound ? begun + life.longestStart() : course.unboundSince + life.start();
        return isTroubled ? Math.min(general, course.troubledSince + life.trouble()) : general;
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
        boolean goesOn = roster.done() > course.done;
        course.done = roster.done();
        if (roster.up() >= roster.needed()) {
            course.shortSince = 0;
            return null;
        }
        if (course.shortSince == 0 || goesOn) {
            course.shortSince = now;
        }
        boolean comes = roster.bound() >= roster.needed() && roster.troubled().isEmpty();
        long most = comes ? life.longestStart() : life.repair();
        long deadline = course.shortSince + most;
        String count = roster.up() + " of " + roster.needed() + " members run";
        if (now >= deadline) {
            boolean own = roster.fault() == Fault.JOB;
            return new Mishap(
                    Reason.MEMBER_LOST,
                    count + ", and for " + QueueTerms.span(most) + " nobody took the place of who is missing."
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
