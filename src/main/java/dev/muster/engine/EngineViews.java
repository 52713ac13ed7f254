package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.QueueMemory;
import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Verdict;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Claim;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.OddNodes;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers about an engine, made from its live state on request; reasons come from judging again, so they are never stale. */
final class EngineViews implements Views {
    /** How long the number of wanted nodes may be told before it is worked out anew, when it is large; in milliseconds. */
    private static final long WANTED_FOR = 1_000;
    /** From how many wanted nodes on working them out anew takes long. */
    private static final int MANY = 100;

    private static final Comparator<GangEntry> NEWEST_FIRST = Comparator.comparingLong(EngineViews::newness)
            .reversed()
            .thenComparing(entry -> entry.namespace)
            .thenComparing(entry -> entry.name)
            .thenComparing(entry -> entry.uid);

    private final Quotas quotas;
    private final Fleet fleet;
    private final Judge judge;
    private final WhoWaits whoWaits;
    private final Reservations reservations;
    private final Stays stays;
    private final Map<String, GangEntry> gangs;
    private final Ledger ledger;
    private final Whereabouts whereabouts;
    private final Memories memories;
    private final NodeWatch nodes;
    private final Retries retries;
    private final LongSupplier lastCycle;
    private Map<String, Integer> wanted = Map.of();
    private long wantedAt;

    EngineViews(
            Quotas quotas,
            Fleet fleet,
            Judge judge,
            WhoWaits whoWaits,
            Reservations reservations,
            Stays stays,
            Map<String, GangEntry> gangs,
            Ledger ledger,
            Whereabouts whereabouts,
            Memories memories,
            NodeWatch nodes,
            Retries retries,
            LongSupplier lastCycle) {
        this.quotas = quotas;
        this.fleet = fleet;
        this.judge = judge;
        this.whoWaits = whoWaits;
        this.reservations = reservations;
        this.stays = stays;
        this.gangs = gangs;
        this.ledger = ledger;
        this.whereabouts = whereabouts;
        this.memories = memories;
        this.nodes = nodes;
        this.retries = retries;
        this.lastCycle = lastCycle;
    }

    @Override
    public List<QueueView> queues() {
        Map<String, Counts> counts = counts();
        return quotas.all().stream().map(queue -> view(queue, counts)).toList();
    }

    @Override
    public Optional<QueueView> queue(String name) {
        return Optional.ofNullable(quotas.get(name)).map(queue -> view(queue, counts()));
    }

    @Override
    public Optional<GangView> gang(String namespace, String name) {
        return gangs.values().stream()
                .filter(entry -> entry.name.equals(name) && entry.namespace.equals(namespace))
                .max(Comparator.comparingLong(entry -> entry.submittedAt))
                .map(this::view);
    }

    @Override
    public List<GangView> gangs(
            @Nullable String queue, @Nullable GangState state, @Nullable Set<String> namespaces, int limit) {
        if (state == GangState.WAITING) {
            return waiting(queue, namespaces, limit).stream().map(this::view).toList();
        }
        Stream<GangEntry> candidates =
                state == null || state == GangState.FINISHED ? gangs.values().stream() : holding();
        return candidates
                .filter(entry -> queue == null || entry.queue.equals(queue))
                .filter(entry -> namespaces == null || namespaces.contains(entry.namespace))
                .filter(entry -> state == null || entry.state() == state)
                .sorted(NEWEST_FIRST)
                .limit(limit)
                .map(this::view)
                .toList();
    }

    /** First those that take part, in line order, then those outside, the oldest first, then all others. */
    private List<GangEntry> waiting(@Nullable String queue, @Nullable Set<String> namespaces, int limit) {
        List<GangEntry> waiting = new ArrayList<>();
        for (String name : queue == null ? whoWaits.queues() : List.of(queue)) {
            waiting.addAll(whoWaits.inLine(name, namespaces, limit - waiting.size(), lastCycle.getAsLong()));
        }
        int outside = namespaces == null ? limit - waiting.size() : Integer.MAX_VALUE;
        Stream.concat(whoWaits.outside(queue, outside).stream(), whereabouts.aside().stream())
                .filter(entry -> queue == null || entry.queue.equals(queue))
                .filter(entry -> namespaces == null || namespaces.contains(entry.namespace))
                .limit(limit - waiting.size())
                .forEach(waiting::add);
        return waiting;
    }

    @Override
    public List<String> namespaces() {
        return gangs.values().stream()
                .map(entry -> entry.namespace)
                .distinct()
                .sorted()
                .toList();
    }

    /** Gangs that may hold something: no look at those that wait. */
    private Stream<GangEntry> holding() {
        return ledger.placed().stream().map(gangs::get).filter(Objects::nonNull);
    }

    @Override
    public Set<String> gpuResources() {
        return quotas.gpuResources();
    }

    private static long newness(GangEntry entry) {
        Admission admission = entry.admission();
        return admission == null ? entry.submittedAt : admission.admittedAt();
    }

    @Override
    public List<NodeClassView> nodeClasses() {
        long now = lastCycle.getAsLong();
        boolean isCheap = wanted.values().stream().mapToInt(Integer::intValue).sum() < MANY;
        if (isCheap || now - wantedAt >= WANTED_FOR) {
            wanted = WantedNodes.of(fleet, quotas, judge, whoWaits);
            wantedAt = now;
        }
        return fleet.classes().stream()
                .map(nodeClass -> view(nodeClass, wanted.getOrDefault(nodeClass.name(), 0)))
                .toList();
    }

    @Override
    public Assessment assess(Gang gang) {
        GangEntry newcomer = GangEntry.newcomer(gang);
        Verdict verdict = judge.judge(gang, gang.submittedAt(), gang.submittedAt());
        Waiting full = judge.isTaken(gang) ? whoWaits.full(gang.queue(), newcomer) : null;
        Waiting blocked = verdict instanceof Verdict.Blocked is ? is.waiting() : null;
        return new Assessment(
                judge.never(gang).orElse(null),
                full != null ? full : blocked,
                whoWaits.countAhead(gang, newcomer, Math.max(lastCycle.getAsLong(), gang.submittedAt())));
    }

    @Override
    public List<Promise> promises() {
        return reservations.promises();
    }

    @Override
    public ToStore toStore() {
        long now = lastCycle.getAsLong();
        Map<String, QueueMemory> queues = new TreeMap<>();
        quotas.all().forEach(queue -> queues.put(queue.name(), memories.of(queue.name(), now)));
        Map<String, List<Promise>> classes = new TreeMap<>();
        for (NodeClass nodeClass : fleet.classes()) {
            String name = nodeClass.name();
            classes.put(name, memories.ofClass(name, now, () -> reservations.promises(name)));
        }
        return new ToStore(queues, classes);
    }

    /** Gangs of one queue that are in no lane. */
    private static final class Counts {
        int admitted;
        int running;
        int aside;
    }

    private Map<String, Counts> counts() {
        Map<String, Counts> counts = new TreeMap<>();
        holding().forEach(entry -> {
            Counts of = counts.computeIfAbsent(entry.queue, queue -> new Counts());
            switch (entry.state()) {
                case ADMITTED, STOPPING -> of.admitted++;
                case RUNNING -> of.running++;
                case WAITING, FINISHED -> {}
            }
        });
        whereabouts.aside().forEach(entry -> counts.computeIfAbsent(entry.queue, queue -> new Counts()).aside++);
        return counts;
    }

    private QueueView view(Queue queue, Map<String, Counts> counts) {
        Counts of = counts.getOrDefault(queue.name(), new Counts());
        List<QuotaView> views = new ArrayList<>();
        for (Queue.Quota quota : queue.quotas()) {
            views.add(new QuotaView(
                    quota.nodeClass(),
                    quota.resource(),
                    quota.nominal(),
                    quotas.used(queue.name(), quota.nodeClass(), quota.resource()),
                    waitingFor(queue.name(), quota)));
        }
        return new QueueView(
                queue.name(),
                queue.parent(),
                queue.owner(),
                queue.weight(),
                views,
                whoWaits.size(queue.name()) + of.aside,
                of.admitted,
                of.running,
                quotas.problem(queue.name()).orElse(""));
    }

    /** What the waiting gangs of a queue would charge to the quota, each in its first class. */
    private long waitingFor(String queue, Queue.Quota quota) {
        long sum = 0;
        for (Lane lane : whoWaits.lanes(queue)) {
            Gang first = lane.gangs.first().gang;
            List<Map.Entry<String, Amounts>> charges = first == null ? List.of() : judge.charges(first);
            if (!charges.isEmpty() && charges.get(0).getKey().equals(quota.nodeClass())) {
                long each = charges.get(0).getValue().get(quota.resource());
                sum = Math.addExact(sum, Math.multiplyExact(each, (long) lane.gangs.size()));
            }
        }
        return sum;
    }

    private GangView view(GangEntry entry) {
        Gang gang = entry.gang;
        Admission admission = entry.admission();
        Amounts charge = admission != null
                ? admission.podsets().stream().map(PodSetPlace::charge).reduce(Amounts.NONE, Amounts::plus)
                : wanted(gang);
        Waiting waiting = entry.state() == GangState.WAITING ? waiting(entry) : null;
        return new GangView(
                entry.uid,
                entry.namespace,
                entry.name,
                entry.queue,
                entry.state(),
                gang == null ? 0 : gang.priority(),
                gang != null && gang.interruptible(),
                entry.submittedAt,
                gang == null
                        ? 0
                        : gang.podsets().stream().mapToInt(PodSet::count).sum(),
                charge,
                whoWaits.place(entry, lastCycle.getAsLong()),
                waiting,
                admission,
                reservations.promise(entry),
                entry.course == null || admission == null ? null : entry.course.trouble,
                entry.status.marks().past());
    }

    private Amounts wanted(@Nullable Gang gang) {
        List<Map.Entry<String, Amounts>> charges = gang == null ? List.of() : judge.charges(gang);
        return !charges.isEmpty() ? charges.get(0).getValue() : gang == null ? Amounts.NONE : gang.total();
    }

    /** Why a gang waits that has no admission. */
    Waiting waiting(GangEntry entry) {
        Gang gang = entry.gang;
        if (entry.blocked != null) {
            return entry.blocked;
        }
        if (gang == null) {
            throw new IllegalStateException("gang " + entry.uid + " was never read, and nothing blocks it");
        }
        if (!entry.refusal.isEmpty() && entry.lane == null) {
            return new Waiting(
                    Reason.BACKING_OFF,
                    "Its start was refused " + entry.refusals + (entry.refusals == 1 ? " time: " : " times: ")
                            + entry.refusal,
                    "It is tried again by itself; the message says what stands in the way.");
        }
        if (stays.isOutOfTime(entry)) {
            return stays.outOfTime(entry);
        }
        Waiting retried = retries.waiting(entry, lastCycle.getAsLong());
        if (retried != null) {
            return retried;
        }
        Claim claim = entry.claim();
        if (claim != null) {
            return judge.waitingFor(claim);
        }
        Waiting full = entry.lane == null && judge.isTaken(gang) ? whoWaits.full(entry.queue, entry) : null;
        if (full != null) {
            return full;
        }
        Verdict verdict = judge.judge(gang, lastCycle.getAsLong(), entry.waitsSince);
        if (verdict instanceof Verdict.Blocked blocked) {
            return blocked.waiting();
        }
        return new Waiting(Reason.NEXT_IN_LINE, "Quota and place are there; it starts with the next decision.", "");
    }

    private NodeClassView view(NodeClass nodeClass, int missingNodes) {
        List<NodeView> views = new ArrayList<>();
        long gpus = 0;
        int ready = 0;
        for (Fleet.Standing standing : fleet.standings(nodeClass.name())) {
            String name = standing.node();
            views.add(new NodeView(
                    name,
                    standing.usable(),
                    standing.gpus(),
                    standing.freeGpus(),
                    nodes.oddity(name, lastCycle.getAsLong()),
                    nodes.isStruck(name)));
            gpus += standing.gpus();
            ready += standing.usable() ? 1 : 0;
        }
        return new NodeClassView(
                nodeClass.name(),
                nodeClass.resource(),
                views.size(),
                ready,
                gpus,
                fleet.freeGpus(nodeClass.name()),
                missingNodes,
                views,
                problems(nodeClass));
    }

    /** Nodes that offer the class's GPU but are in no class, nodes that other classes select too, and untainted ones. */
    private List<String> problems(NodeClass nodeClass) {
        List<String> problems = new ArrayList<>();
        OddNodes odd = OddNodes.of(nodeClass, fleet.classes(), fleet.knownNodes());
        add(problems, odd.unclassified(), "in no class and not used: ");
        add(problems, odd.ambiguous(), "in more than one class, charged to the first by name: ");
        add(problems, odd.untainted(), "without the taint that the class demands, so that foreign pods may come: ");
        return problems;
    }

    private static void add(List<String> problems, List<String> nodes, String what) {
        if (!nodes.isEmpty()) {
            int shown = Math.min(5, nodes.size());
            problems.add(nodes.size() + (nodes.size() == 1 ? " node " : " nodes ") + what
                    + String.join(", ", nodes.subList(0, shown))
                    + (shown < nodes.size() ? " and " + (nodes.size() - shown) + " more" : "") + ".");
        }
    }
}
