package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An independent witness: it watches the cluster through the administrator's client, does its own sums at every single
 * event, and takes no word of Muster's for any figure. What it saw wrong is kept with the moment's figures.
 */
final class Auditor implements AutoCloseable {
    private final Set<String> namespaces;
    private final Map<String, Long> quota;
    private final Map<String, Long> allocatable = new HashMap<>();
    private final Map<String, Job> jobs = new HashMap<>();
    private final Map<String, Pod> pods = new HashMap<>();
    /** GPUs that some queues may have charged together. */
    private final Map<Set<String>, Long> shared = new HashMap<>();

    private final Map<String, Long> mostCharged = new TreeMap<>();
    private final Map<String, Integer> stops = new TreeMap<>();
    private final Map<String, Long> mostUsed = new TreeMap<>();
    private final Map<String, Set<Integer>> placed = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
    private long events;

    /**
     * Begins to watch; when this returns the first lists are in.
     *
     * @param quota GPUs that each queue may have admitted
     */
    Auditor(KubernetesClient client, Set<String> namespaces, List<String> nodes, Map<String, Long> quota) {
        this.namespaces = Set.copyOf(namespaces);
        this.quota = Map.copyOf(quota);
        for (String name : nodes) {
            Node node = client.nodes().withName(name).get();
            allocatable.put(
                    name,
                    node.getStatus()
                            .getAllocatable()
                            .get("nvidia.com/gpu")
                            .getNumericalAmount()
                            .longValueExact());
        }
        informers.add(client.batch().v1().jobs().inAnyNamespace().inform(handler(jobs, this::auditQuota)));
        informers.add(client.pods().inAnyNamespace().inform(handler(pods, this::auditNodes)));
    }

    /** From now on these queues together may have no more GPUs charged, those of gangs that are stopping included. */
    synchronized Auditor together(Set<String> queues, long gpus) {
        shared.put(Set.copyOf(queues), gpus);
        return this;
    }

    private <T extends HasMetadata> ResourceEventHandler<T> handler(Map<String, T> known, Runnable audit) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                take(object, object);
            }

            @Override
            public void onUpdate(T before, T object) {
                take(object, object);
            }

            @Override
            public void onDelete(T object, boolean unknown) {
                take(object, null);
            }

            private void take(T object, T now) {
                synchronized (Auditor.this) {
                    if (namespaces.contains(object.getMetadata().getNamespace())) {
                        events++;
                        if (now instanceof Job job) {
                            countStop(jobs.get(job.getMetadata().getUid()), job);
                        }
                        if (now == null) {
                            known.remove(object.getMetadata().getUid());
                        } else {
                            known.put(object.getMetadata().getUid(), now);
                        }
                        audit.run();
                    }
                }
            }
        };
    }

    private void countStop(Job before, Job now) {
        if (before != null && !Facts.isSuspended(before) && Facts.isSuspended(now)) {
            stops.merge(now.getMetadata().getName(), 1, Integer::sum);
        }
    }

    private void auditQuota() {
        shared.forEach((queues, most) -> {
            long gpus = jobs.values().stream()
                    .filter(job -> !Facts.plannedNodes(job).isEmpty() && !Facts.hasEnded(job))
                    .filter(job -> queues.contains(job.getMetadata().getLabels().get("muster.dev/queue")))
                    .mapToLong(job -> Facts.members(job)
                            * Facts.gpus(job.getSpec().getTemplate().getSpec()))
                    .sum();
            if (gpus > most) {
                wrong.add("queues " + queues + " have " + gpus + " GPUs charged of " + most);
            }
        });
        Map<String, Long> charged = new TreeMap<>();
        for (Job job : jobs.values()) {
            String queue = job.getMetadata().getLabels() == null
                    ? null
                    : job.getMetadata().getLabels().get("muster.dev/queue");
            if (queue != null && !Boolean.TRUE.equals(job.getSpec().getSuspend()) && !Facts.hasEnded(job)) {
                long gpus = Facts.members(job)
                        * Facts.gpus(job.getSpec().getTemplate().getSpec());
                charged.merge(queue, gpus, Long::sum);
            }
        }
        charged.forEach((queue, gpus) -> {
            mostCharged.merge(queue, gpus, Math::max);
            if (gpus > quota.getOrDefault(queue, 0L)) {
                wrong.add("queue " + queue + " has " + gpus + " GPUs admitted of " + quota.get(queue));
            }
        });
    }

    private void auditNodes() {
        Map<String, Long> used = new TreeMap<>();
        for (Pod pod : pods.values()) {
            String node = pod.getSpec().getNodeName();
            if (node != null && !Facts.hasEnded(pod)) {
                used.merge(node, Facts.gpus(pod.getSpec()), Long::sum);
            }
            if (node != null && pod.getMetadata().getLabels() != null) {
                String job = pod.getMetadata().getLabels().get("batch.kubernetes.io/controller-uid");
                if (job != null && pod.getMetadata().getLabels().containsKey("muster.dev/managed")) {
                    if (placed.computeIfAbsent(job, uid -> new TreeSet<>()).add(Facts.index(pod))) {
                        auditPlace(pod, jobs.get(job));
                    }
                }
            }
        }
        used.forEach((node, gpus) -> {
            mostUsed.merge(node, gpus, Math::max);
            if (gpus > allocatable.getOrDefault(node, 0L)) {
                wrong.add("node " + node + " has " + gpus + " GPUs bound of " + allocatable.get(node));
            }
        });
    }

    private void auditPlace(Pod pod, Job job) {
        List<String> planned = job == null ? List.of() : Facts.plannedNodes(job);
        int index = Facts.index(pod);
        List<String> own =
                index < planned.size() ? planned.subList(index, index + 1) : planned; // of a later wave: any slot
        if (!planned.isEmpty() && !own.contains(pod.getSpec().getNodeName())) {
            wrong.add("pod " + pod.getMetadata().getName() + " sits on "
                    + pod.getSpec().getNodeName() + ", planned was " + planned);
        }
    }

    /** Asserts that nothing wrong was seen so far, and that every gang that got one node got all of them. */
    synchronized void verify() {
        assertThat(wrong)
                .as("what the auditor saw wrong in " + events + " events")
                .isEmpty();
        assertThat(events).as("events seen").isPositive();
        placed.forEach((uid, ranks) -> {
            Job job = jobs.get(uid);
            if (job != null) {
                assertThat(ranks)
                        .as("ranks of " + job.getMetadata().getName() + " that got a node")
                        .hasSize(job.getSpec().getCompletions());
            }
        });
    }

    /** The most that each queue had admitted at any moment. */
    synchronized Map<String, Long> mostCharged() {
        return Map.copyOf(mostCharged);
    }

    /** The most that was bound to each node at any moment. */
    synchronized Map<String, Long> mostUsed() {
        return Map.copyOf(mostUsed);
    }

    /** How often each job was stopped after a start, by its name; without those that never were. */
    synchronized Map<String, Integer> stops() {
        return Map.copyOf(stops);
    }

    synchronized long events() {
        return events;
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }
}
