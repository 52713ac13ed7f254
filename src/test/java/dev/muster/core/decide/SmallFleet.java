package dev.muster.core.decide;

import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Side;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Queue;
import dev.muster.core.model.TopologyWish;
import dev.muster.core.share.Charge;
import dev.muster.core.share.Ledger;
import dev.muster.core.share.Stake;
import dev.muster.core.share.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A generated fleet full of borrowers, one newcomer, and the brute force that knows the least that has to be lost for it.
 *
 * <p>Queue "due" has the whole fleet as its nominal; "one" and "other" have none, so they live on what is lent. Firm gangs
 * of "due" and gangs under protection may not be stopped, nor may those that their own queue covers.
 */
final class SmallFleet {
    private static final String GPU = "nvidia.com/gpu";
    private static final String CLASS = "h100";
    private static final String RACK = "rack";
    private static final long NOW = 10_000_000;

    private final Random random;
    private final Fleet fleet = new Fleet();
    private final Quotas quotas = new Quotas(fleet::nodeSize, 86_400);
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Runner> runners = new TreeMap<>();
    private final Gang newcomer;

    /** GPUs and thousandths of a core. */
    private record Node(String name, String rack, long gpus, long cpu) {}

    /** A gang that runs: members by number of node, and what stopping it loses. */
    private record Runner(Gang gang, Amounts each, Map<Integer, Integer> members, boolean protectedNow, long cost) {}

    SmallFleet(long seed) {
        random = new Random(seed);
        quotas.putClass(CLASS, GPU);
        fleet.put(new NodeClass(CLASS, Map.of("gpu", CLASS), null, List.of(), GPU, Map.of(), List.of(RACK), null));
        makeNodes();
        long all = nodes.stream().mapToLong(Node::gpus).sum();
        putQueue("root", null, 0);
        putQueue("due", "root", all);
        putQueue("one", "root", 0);
        putQueue("other", "root", 0);
        int wanted = 12 + random.nextInt(5);
        for (int tries = 0; tries < 200 && runners.size() < wanted; tries++) {
            start("g%02d".formatted(runners.size()));
        }
        newcomer = newcomer();
        List<Map.Entry<String, Amounts>> wants = List.of(Map.entry(CLASS, quotas.charge(newcomer, CLASS)));
        quotas.want("newcomer", "due", wants, 1);
        if (random.nextInt(4) > 0) { // others of its queue wait too: then nobody's borrowing is covered
            quotas.want("others", "due", List.of(Map.entry(CLASS, Amounts.of(GPU, all))), 1);
        }
    }

    // ---- what there is

    private void makeNodes() {
        int count = 3 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            long gpus = random.nextInt(4) == 0 ? 4 : 8;
            Node node = new Node("n" + i, "r" + i / 2, gpus, gpus * 8_000);
            nodes.add(node);
            fleet.put(new NodeFacts(
                    node.name,
                    Map.of("gpu", CLASS, RACK, node.rack),
                    List.of(),
                    Amounts.of(Map.of(GPU, node.gpus, Amounts.CPU, node.cpu, Amounts.PODS, 110L)),
                    true,
                    false));
        }
    }

    private void putQueue(String name, @Nullable String parent, long nominal) {
        quotas.put(World.queueOf(
                name,
                parent,
                1,
                List.of(new Queue.Quota(CLASS, GPU, nominal, OptionalLong.empty(), OptionalLong.empty(), 0))));
    }

    /** Starts a gang of one to three members on random nodes, if they have room. */
    private void start(String name) {
        boolean firm = random.nextInt(8) == 0;
        String queue = firm ? "due" : random.nextBoolean() ? "one" : "other";
        int members = 1 + (random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0);
        Gang gang = gang(name, queue, !firm, members, null);
        Map<Integer, Integer> places = new TreeMap<>();
        for (int i = 0; i < members; i++) {
            places.merge(random.nextInt(nodes.size()), 1, Integer::sum);
        }
        for (Map.Entry<Integer, Integer> place : places.entrySet()) {
            if (room(gang, place.getKey(), List.of()) < place.getValue()) {
                return;
            }
        }
        long seconds = 600 + random.nextInt(14_400);
        long gpus = gang.total().get(GPU);
        runners.put(
                gang.uid(),
                new Runner(
                        gang,
                        gang.podsets().get(0).shape().requests(),
                        places,
                        random.nextInt(8) == 0,
                        gpus * seconds));
        Commitment commitment =
                new Commitment(name, queue, Map.of(CLASS, quotas.charge(gang, CLASS)), firm, 0, runners.size());
        quotas.commit(name, commitment);
        quotas.hold(name, commitment);
        bookings(runners.get(name)).forEach((node, amount) -> {
            fleet.book(Side.HELD, node, amount, 1);
            fleet.book(Side.COMMITTED, node, amount, 1);
        });
    }

    private Gang newcomer() {
        TopologyWish wish = random.nextInt(3) == 0 ? new TopologyWish(RACK, true) : null;
        return gang("newcomer", "due", random.nextBoolean(), 1 + random.nextInt(6), wish);
    }

    private Gang gang(String name, String queue, boolean interruptible, int members, @Nullable TopologyWish topology) {
        long gpus = 1L << random.nextInt(4);
        long cpu = gpus * (1_000 + random.nextInt(9_000));
        PodShape shape =
                new PodShape(Amounts.of(Map.of(GPU, gpus, Amounts.CPU, cpu, Amounts.PODS, 1L)), List.of(), List.of());
        List<PodSet> podsets = List.of(new PodSet("main", members, members, shape, true, topology));
        return new Gang(
                name, "space", name, queue, 0, interruptible, 0, podsets, List.of(), List.of(), OptionalLong.empty());
    }

    private Map<String, long[]> bookings(Runner runner) {
        Map<String, long[]> bookings = new TreeMap<>();
        runner.members.forEach((node, members) ->
                bookings.put(nodes.get(node).name, fleet.resources().vector(runner.each.times(members))));
        return bookings;
    }

    // ---- what Muster decides

    Verdict judge() {
        return new Judge(quotas, fleet, committed(), Reserved.NOTHING).judge(newcomer, NOW, 0);
    }

    private Committed committed() {
        return new Committed() {
            @Override
            public boolean mayStop(String uid, long now) {
                return !runners.get(uid).protectedNow;
            }

            @Override
            public long nextProtectionEnd(long now) {
                return Long.MAX_VALUE;
            }

            @Override
            public long cost(String uid, long now) {
                return runners.get(uid).cost;
            }

            @Override
            public Map<String, long[]> bookings(String uid) {
                return SmallFleet.this.bookings(runners.get(uid));
            }

            @Override
            public boolean isMovable(String uid, String nodeClass) {
                return false;
            }

            @Override
            public Gang gang(String uid) {
                throw new AssertionError("nobody is moved here");
            }

            @Override
            public String title(String uid) {
                return uid;
            }
        };
    }

    long loss(List<String> victims) {
        return victims.stream().mapToLong(uid -> runners.get(uid).cost).sum();
    }

    /** What is wrong with an answer: victims that are safe or needless, and a place that is not free or not whole. */
    List<String> objections(Verdict.Preempts answer) {
        List<String> objections = new ArrayList<>();
        List<String> legal = legal();
        for (String victim : answer.victims()) {
            List<String> others =
                    answer.victims().stream().filter(uid -> !uid.equals(victim)).toList();
            if (!legal.contains(victim)) {
                objections.add(victim + " is safe");
            } else if (helps(others)) {
                objections.add(victim + " is stopped needlessly");
            }
        }
        int placed = 0;
        List<String> racks = new ArrayList<>();
        for (NodeSlots slots : answer.claim().podsets().get(0).nodes()) {
            int number = Integer.parseInt(slots.node().substring(1));
            racks.add(nodes.get(number).rack);
            placed += slots.members();
            if (room(newcomer, number, answer.victims()) < slots.members()) {
                objections.add(slots + " has no room");
            }
        }
        if (placed != newcomer.podsets().get(0).count()) {
            objections.add("only " + placed + " members are placed");
        }
        if (newcomer.podsets().get(0).topology() != null
                && racks.stream().distinct().count() > 1) {
            objections.add("the place spans " + racks);
        }
        return objections;
    }

    // ---- brute force

    /** The least that has to be lost for the newcomer: 0 when it fits as it is, empty when nothing helps. */
    OptionalLong leastLoss() {
        if (helps(List.of())) {
            return OptionalLong.of(0);
        }
        List<String> legal = legal();
        long[] lossOf = new long[1 << legal.size()];
        long least = Long.MAX_VALUE;
        for (int set = 1; set < lossOf.length; set++) {
            String first = legal.get(Integer.numberOfTrailingZeros(set));
            lossOf[set] = lossOf[set & (set - 1)] + runners.get(first).cost;
            if (lossOf[set] < least && helps(members(legal, set))) {
                least = lossOf[set];
            }
        }
        return least == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(least);
    }

    private static List<String> members(List<String> of, int set) {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < of.size(); i++) {
            if ((set >> i & 1) == 1) {
                members.add(of.get(i));
            }
        }
        return members;
    }

    /** Interruptible gangs past their protection that their own queue does not cover once the newcomer is in. */
    private List<String> legal() {
        int[] coveredAt = quotas.standing().coveredWith(stake());
        List<String> legal = new ArrayList<>();
        runners.forEach((uid, runner) -> {
            Stake stake = quotas.stake(uid);
            if (runner.gang.interruptible()
                    && !runner.protectedNow
                    && stake != null
                    && coveredAt[stake.slot()] != stake.queue()) {
                legal.add(uid);
            }
        });
        return legal;
    }

    private Stake stake() {
        Stake stake = quotas.candidate(new Commitment(
                newcomer.uid(),
                "due",
                Map.of(CLASS, quotas.charge(newcomer, CLASS)),
                !newcomer.interruptible(),
                0,
                Stake.CANDIDATE));
        if (stake == null) {
            throw new AssertionError("queue due is in the tree");
        }
        return stake;
    }

    /** Whether quota and nodes take the newcomer without some gangs. */
    private boolean helps(List<String> out) {
        int[] room = new int[nodes.size()];
        Map<String, List<Integer>> regions = new LinkedHashMap<>();
        PodSet asked = newcomer.podsets().get(0);
        for (int node = 0; node < room.length; node++) {
            room[node] = room(newcomer, node, out);
            regions.computeIfAbsent(asked.topology() != null ? nodes.get(node).rack : "all", rack -> new ArrayList<>())
                    .add(node);
        }
        return regions.values().stream().anyMatch(region -> spreads(asked.count(), region, 0, room))
                && quotaAdmits(out);
    }

    private boolean quotaAdmits(List<String> out) {
        Ledger without = quotas.standing().committed().copy();
        for (String uid : out) {
            Stake gone = quotas.stake(uid);
            if (gone != null) {
                without.uncharge(gone.queue(), gone.charge());
            }
        }
        Charge charge = stake().charge();
        return without.admits(stake().queue(), charge);
    }

    /** Tries every number of members on each node of a region in turn. */
    private static boolean spreads(int members, List<Integer> region, int from, int[] room) {
        if (members == 0 || from == region.size()) {
            return members == 0;
        }
        for (int here = Math.min(members, room[region.get(from)]); here >= 0; here--) {
            if (spreads(members - here, region, from + 1, room)) {
                return true;
            }
        }
        return false;
    }

    /** How many members of a gang a node still takes without some gangs. */
    private int room(Gang gang, int number, List<String> out) {
        Node node = nodes.get(number);
        long gpus = node.gpus;
        long cpu = node.cpu;
        for (Runner runner : runners.values()) {
            int here = runner.members.getOrDefault(number, 0);
            if (here > 0 && !out.contains(runner.gang.uid())) {
                gpus -= here * runner.each.get(GPU);
                cpu -= here * runner.each.get(Amounts.CPU);
            }
        }
        Amounts each = gang.podsets().get(0).shape().requests();
        return (int) Math.min(gpus / each.get(GPU), cpu / each.get(Amounts.CPU));
    }
}
