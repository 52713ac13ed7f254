package dev.muster.core.share;

import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/** A random tree and random gangs for it, from a seed; the same seed gives the same world. */
public final class RandomWorld {
    private final Random random;
    private final QuotaTree tree;
    private final List<Stake> gangs = new ArrayList<>();

    public RandomWorld(long seed, int mostQueues, int mostGangs) {
        random = new Random(seed);
        List<String> resources = random.nextInt(3) == 0 ? List.of("cpu", "gpu") : List.of("gpu");
        List<String> classes = random.nextInt(5) == 0 ? List.of("a", "b") : List.of("a");
        List<Queue> queues = new ArrayList<>();
        List<String> inner = new ArrayList<>();
        inner.add("root");
        queues.add(queue("root", null, classes, resources));
        int groups = random.nextInt(3);
        for (int i = 0; i < groups; i++) {
            queues.add(queue("group-" + i, inner.get(random.nextInt(inner.size())), classes, resources));
            inner.add("group-" + i);
        }
        int teams = 2 + random.nextInt(mostQueues);
        for (int i = 0; i < teams; i++) {
            String parent = i < inner.size() ? inner.get(i) : inner.get(random.nextInt(inner.size()));
            queues.add(queue("team-" + i, parent, classes, resources));
        }
        tree = QuotaTree.of(queues, Dimensions.of(classes, resources));
        int count = 3 + random.nextInt(mostGangs);
        for (int i = 0; i < count; i++) {
            gangs.add(gang(i, classes.size(), resources.size()));
        }
    }

    private Queue queue(String name, String parent, List<String> classes, List<String> resources) {
        List<Queue.Quota> quotas = new ArrayList<>();
        for (String nodeClass : classes) {
            for (String resource : resources) {
                quotas.add(new Queue.Quota(
                        nodeClass,
                        resource,
                        random.nextInt(3) == 0 ? 0 : random.nextInt(6),
                        limit(),
                        limit(),
                        random.nextInt(4) == 0 ? random.nextInt(4) : 0));
            }
        }
        return World.queueOf(name, parent, random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(3), quotas);
    }

    private OptionalLong limit() {
        return random.nextInt(3) == 0 ? OptionalLong.of(random.nextInt(5)) : OptionalLong.empty();
    }

    private Stake gang(int slot, int classes, int resources) {
        int queue = random.nextInt(tree.size());
        if (random.nextInt(5) != 0) {
            while (tree.childCount(queue) > 0) {
                queue = random.nextInt(tree.size());
            }
        }
        long[] charge = new long[tree.dimensions().size()];
        int nodeClass = random.nextInt(classes);
        for (int resource = 0; resource < resources; resource++) {
            charge[nodeClass * resources + resource] = resource == 0 ? 1 + random.nextInt(5) : random.nextInt(5);
        }
        long size = 0;
        for (long amount : charge) {
            size += amount;
        }
        boolean firm = random.nextInt(10) < 3;
        return new Stake(
                slot,
                "g%02d".formatted(slot),
                queue,
                Charge.of(charge),
                firm,
                random.nextInt(3),
                size,
                Stake.CANDIDATE);
    }

    public Random random() {
        return random;
    }

    public QuotaTree tree() {
        return tree;
    }

    /** All gangs, by slot, none of them admitted. */
    public List<Stake> gangs() {
        return gangs;
    }

    /** The same gang as admitted at a time. */
    public static Stake admitted(Stake gang, long at) {
        return new Stake(
                gang.slot(), gang.uid(), gang.queue(), gang.charge(), gang.firm(), gang.priority(), gang.size(), at);
    }
}
