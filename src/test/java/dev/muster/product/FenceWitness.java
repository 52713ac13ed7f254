package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A witness of what Muster writes to the jobs of a namespace: it notes under which fence each change of Muster's marks came,
 * in the order in which the API server stored them, and how many different admissions each job had.
 */
final class FenceWitness implements AutoCloseable {
    private final SharedIndexInformer<Job> informer;
    private final Map<String, String> marks = new LinkedHashMap<>();
    private final Map<String, Set<String>> admissions = new TreeMap<>();
    private final TreeMap<Long, String> fences = new TreeMap<>();

    /** Begins to watch. */
    FenceWitness(KubernetesClient client, String namespace) {
        informer = client.batch().v1().jobs().inNamespace(namespace).inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Job job) {
                see(job);
            }

            @Override
            public void onUpdate(Job before, Job job) {
                see(job);
            }

            @Override
            public void onDelete(Job job, boolean unknown) {
                // what was written before stays noted
            }
        });
    }

    private synchronized void see(Job job) {
        Map<String, String> annotations = job.getMetadata().getAnnotations();
        String fence = annotations == null ? null : annotations.get("muster.dev/fence");
        String name = job.getMetadata().getName();
        if (fence == null) {
            return;
        }
        String now = job.getMetadata().getLabels().get("muster.dev/state") + " "
                + job.getSpec().getSuspend() + " " + annotations;
        String admission = annotations.get("muster.dev/admission");
        if (admission != null) {
            admissions.computeIfAbsent(name, any -> new LinkedHashSet<>()).add(admission);
        }
        if (!now.equals(marks.put(name, now))) {
            fences.put(Long.valueOf(job.getMetadata().getResourceVersion()), fence);
        }
    }

    /** Asserts that each leader's writes were all stored before the first one of the next, and no job was admitted twice. */
    synchronized void verify() {
        List<String> order = new ArrayList<>();
        fences.values().stream()
                .filter(fence -> order.isEmpty() || !order.get(order.size() - 1).equals(fence))
                .forEach(order::add);
        assertThat(order).as("fences in the order of the writes, each once").doesNotHaveDuplicates();
        assertThat(admissions.values())
                .as("admissions of each job")
                .allSatisfy(one -> assertThat(one).hasSize(1));
    }

    /** How many different fences wrote. */
    synchronized long leaders() {
        return fences.values().stream().distinct().count();
    }

    @Override
    public void close() {
        informer.close();
    }
}
