package dev.muster.core.share;

import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A small world of one node class: queues, gangs in the order of their admission and UID, and which of them run. Waiting
 * gangs are runnable demand. Larger charge is the plain sum over resources.
 */
public final class World {
    /** The only class. */
    public static final String CLASS = "c";

    private final List<String> resources;
    private final List<Queue> queues = new ArrayList<>();
    private final Map<String, Stake> gangs = new LinkedHashMap<>();
    private final List<String> running = new ArrayList<>();
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private @Nullable Standing standing;
    private @Nullable QuotaTree tree;

    private record Pending(String queue, long[] charge, int priority, boolean firm) {}

    public World(String... resources) {
        this.resources = List.of(resources);
    }

    /** One root "root" without quota, and queues {@code name:nominal} below it; weight 1, no limits, one resource gpu. */
    public static World flat(String... queues) {
        World world = new World("gpu").queue("root", null, 1, 0);
        for (String queue : queues) {
            String[] parts = queue.split(":");
            world.queue(parts[0], "root", 1, Long.parseLong(parts[1]));
        }
        return world;
    }

    public World queue(String name, @Nullable String parent, long weight, long... nominal) {
        return queue(name, parent, weight, nominal, OptionalLong.empty(), OptionalLong.empty(), 0);
    }

    public World queue(
            String name,
            @Nullable String parent,
            long weight,
            long[] nominal,
            OptionalLong borrowing,
            OptionalLong lending,
            long firmLending) {
        List<Queue.Quota> quotas = new ArrayList<>();
        for (int i = 0; i < resources.size(); i++) {
            quotas.add(new Queue.Quota(CLASS, resources.get(i), nominal[i], borrowing, lending, firmLending));
        }
        queues.add(queueOf(name, parent, weight, quotas));
        return this;
    }

    public static Queue queueOf(String name, @Nullable String parent, long weight, List<Queue.Quota> quotas) {
        return new Queue(
                name,
                parent,
                "somebody",
                weight,
                Set.of(),
                quotas,
                Queue.Limits.NONE,
                Queue.Preemption.DEFAULT,
                Queue.Stop.NONE,
                Queue.Unspecific.WARN);
    }

    public World gang(String name, String queue, int priority, boolean firm, long... charge) {
        pending.put(name, new Pending(queue, charge, priority, firm));
        return this;
    }

    /** Interruptible gangs that run: {@code name queue size} or {@code name queue size@priority}; {@code !name} is firm. */
    public World runs(String... gangs) {
        for (String gang : gangs) {
            running.add(add(gang));
        }
        return this;
    }

    /** Gangs that wait, written in the same way. */
    public World waits(String... gangs) {
        for (String gang : gangs) {
            add(gang);
        }
        return this;
    }

    private String add(String text) {
        String[] words = text.split(" ");
        String[] size = words[2].split("@");
        String name = words[0].replace("!", "");
        long[] charge =
                Arrays.stream(size[0].split("\\+")).mapToLong(Long::parseLong).toArray();
        int priority = size.length > 1 ? Integer.parseInt(size[1]) : 0;
        gang(name, words[1], priority, text.startsWith("!"), charge);
        return name;
    }

    public World running(List<String> names) {
        running.addAll(names);
        return this;
    }

    public QuotaTree tree() {
        if (tree == null) {
            tree = QuotaTree.of(queues, Dimensions.of(List.of(CLASS), resources));
        }
        return tree;
    }

    /** The number of a resource's dimension. */
    public int dim(String resource) {
        return tree().dimensions().indexOf(CLASS, resource);
    }

    /** Everything that runs committed, everything that waits wanted. */
    public Standing standing() {
        if (standing == null) {
            standing = new Standing(tree());
            pending.forEach((name, gang) -> gangs.put(name, stake(name, gang)));
            gangs.forEach((name, gang) -> {
                if (running.contains(name)) {
                    standing.commit(gang);
                } else {
                    standing.want(gang.queue(), gang.charge(), gang.charge());
                }
            });
        }
        return standing;
    }

    private Stake stake(String name, Pending gang) {
        long[] charge = new long[resources.size()];
        for (int i = 0; i < charge.length; i++) {
            charge[dim(resources.get(i))] = gang.charge[i];
        }
        int slot = gangs.size();
        boolean runs = running.contains(name);
        return new Stake(
                slot,
                "%03d-%s".formatted(slot, name),
                tree().indexOf(gang.queue),
                Charge.of(charge),
                gang.firm,
                gang.priority,
                Arrays.stream(charge).sum(),
                runs ? slot : Stake.CANDIDATE);
    }

    public Stake stake(String name) {
        standing();
        return gangs.get(name);
    }

    public String nameOf(Stake stake) {
        return stake.uid().substring(4);
    }

    public List<String> waiting() {
        standing();
        return gangs.keySet().stream().filter(name -> !running.contains(name)).toList();
    }

    public List<String> running() {
        return running;
    }

    /** What each queue is due, in the order of the resources as declared. */
    public Map<String, List<Long>> due() {
        Map<String, List<Long>> due = new TreeMap<>();
        for (int node = 0; node < tree().size(); node++) {
            List<Long> amounts = new ArrayList<>();
            for (String resource : resources) {
                amounts.add(standing().due().due(node, dim(resource)));
            }
            due.put(tree().name(node), amounts);
        }
        return due;
    }

    /** Where each running gang is covered; "nowhere" for those that are not. */
    public Map<String, String> coveredAt() {
        int[] at = standing().coveredAt();
        Map<String, String> covered = new TreeMap<>();
        running.forEach(name -> {
            int node = at[stake(name).slot()];
            covered.put(name, node == Cover.NOWHERE ? "nowhere" : tree().name(node));
        });
        return covered;
    }

    /** The waiting gangs that quota admits. */
    public List<String> admissible() {
        return waiting().stream().filter(name -> standing().admits(stake(name))).toList();
    }
}
