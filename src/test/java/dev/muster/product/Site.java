package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.GpuNodeClass;
import dev.muster.api.GpuNodeClassStatus;
import dev.muster.api.Marks;
import dev.muster.api.TeamQueue;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.FakeNode;
import dev.muster.cluster.MusterProcess;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A cluster with Muster in it: everything that a platform engineer installs, one node class of its own nodes, and queues
 * that name it. Names are used once, so that what another test left cannot be mistaken.
 */
final class Site implements AutoCloseable {
    private static final Path MANIFESTS = Path.of("manifests");
    private static final Path POLICIES = Path.of("webhook");

    private final ControlPlane plane;
    private final MusterProcess muster;
    private final String nodeClass;
    private final List<String> nodes = new ArrayList<>();

    private Site(ControlPlane plane, String name) {
        this.plane = plane;
        this.nodeClass = plane.unique(name);
        this.muster = MusterProcess.named(plane, name)
                .with("muster.cluster.lease-duration", "8s")
                .with("muster.cluster.renew-deadline", "6s")
                .with("muster.cluster.retry-period", "1s");
        plane.admin()
                .leases()
                .inNamespace("muster-system")
                .withName("muster-leader")
                .delete();
    }

    /** Installs everything and one node class; Muster is not started yet. */
    static Site installed(ControlPlane plane, String name) {
        Site site = new Site(plane, name);
        Installation.apply(plane, MANIFESTS, POLICIES);
        site.nodeClass(site.nodeClass);
        return site;
    }

    ControlPlane plane() {
        return plane;
    }

    MusterProcess muster() {
        return muster;
    }

    /** Name of the site's first node class. */
    String nodeClass() {
        return nodeClass;
    }

    /** Starts Muster with its webhook, and waits until it is ready and leads. */
    Site start() {
        if (Installation.webhook(plane, muster)) {
            muster.start();
        } else {
            muster.startUnready();
        }
        awaitLead();
        return this;
    }

    /** Waits until Muster decides. */
    void awaitLead() {
        Await.until(
                "Muster leads",
                Duration.ofSeconds(90),
                () -> muster.metrics().getOrDefault("muster_leading", 0.0),
                leading -> leading == 1.0);
    }

    /** Declares a node class: the nodes that carry its name as a label. */
    void nodeClass(String name) {
        nodeClass(name, "");
    }

    /** Declares a node class with these levels of topology, the widest first, with commas between. */
    void nodeClass(String name, String topology) {
        plane.create("""
                apiVersion: muster.dev/v1alpha1
                kind: GpuNodeClass
                metadata: {name: %s}
                spec:
                  owner: platform
                  selector: {test.muster.dev/class: %s}
                  taint: {key: nvidia.com/gpu, value: present, effect: NoSchedule}
                  topology: [%s]
                """.formatted(name, name, topology));
    }

    /** Adds nodes with 8 H100 each to the first node class. */
    List<String> nodes(int count) {
        return nodes(count, nodeClass);
    }

    /** Adds nodes with 8 H100 each to a node class. */
    List<String> nodes(int count, String ofClass) {
        return nodes(count, ofClass, UnaryOperator.identity());
    }

    /** Adds nodes with 8 H100 each, and what else they are given, to a node class. */
    List<String> nodes(int count, String ofClass, UnaryOperator<FakeNode> with) {
        List<FakeNode> made = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = plane.unique("n");
            names.add(name);
            made.add(with.apply(FakeNode.h100(name).labelled("test.muster.dev/class", ofClass)));
        }
        plane.nodes(made.toArray(FakeNode[]::new));
        nodes.addAll(names);
        return names;
    }

    /** Makes a queue with so many GPUs of the first node class, and gives its name. */
    String queue(String stem, int gpus) {
        return queue(stem, "{nodeClass: %s, resource: nvidia.com/gpu, nominal: %d}".formatted(nodeClass, gpus));
    }

    /** Makes a queue with these quotas, and gives its name. */
    String queue(String stem, String quotas) {
        return queueOf(stem, "quotas: [" + quotas + "]");
    }

    /** Makes a queue below another one with so many GPUs of the first node class and these further fields, and gives its name. */
    String queueBelow(String parent, String stem, int gpus, String fields) {
        return queueOf(
                stem,
                "parent: %s, quotas: [{nodeClass: %s, resource: nvidia.com/gpu, nominal: %d}], %s"
                        .formatted(parent, nodeClass, gpus, fields));
    }

    /** Makes a queue with these fields of its spec, and gives its name. */
    String queueOf(String stem, String fields) {
        String name = plane.unique(stem);
        plane.create("""
                apiVersion: muster.dev/v1alpha1
                kind: TeamQueue
                metadata: {name: %s}
                spec: {owner: lead, %s}
                """.formatted(name, fields));
        return name;
    }

    /** Submits a job. */
    Job submit(Gang gang) {
        return (Job) plane.create(gang.yaml());
    }

    Job job(String namespace, String name) {
        return plane.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    /** The jobs of a namespace that ask for pods now and have not ended. */
    List<Job> started(String namespace) {
        return plane.admin().batch().v1().jobs().inNamespace(namespace).list().getItems().stream()
                .filter(job -> !Boolean.TRUE.equals(job.getSpec().getSuspend()) && !Facts.hasEnded(job))
                .toList();
    }

    List<Pod> pods(String namespace, String job) {
        return plane.admin()
                .pods()
                .inNamespace(namespace)
                .withLabel("batch.kubernetes.io/job-name", job)
                .list()
                .getItems();
    }

    /** Waits until the state label of a job has this value. */
    Job awaitState(String namespace, String name, String state) {
        return Await.until(
                namespace + "/" + name + " is " + state,
                Duration.ofSeconds(60),
                () -> job(namespace, name),
                job -> job != null
                        && job.getMetadata().getLabels() != null
                        && state.equals(job.getMetadata().getLabels().get(Marks.STATE)));
    }

    /** Lets all pods of a job succeed now. */
    void finish(String namespace, String name) {
        for (Pod pod : pods(namespace, name)) {
            plane.admin()
                    .resource(pod)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"annotations\":{\"test.muster.dev/run-for\":\"0s\"}}}");
        }
    }

    /** Asserts that each member of an admitted job is on the node that was planned for its rank. */
    void assertOnItsPlace(Job job) {
        List<String> planned = Facts.plannedNodes(job);
        List<Pod> pods =
                pods(job.getMetadata().getNamespace(), job.getMetadata().getName());
        assertThat(pods)
                .hasSize(planned.size())
                .allSatisfy(pod -> assertThat(pod.getSpec().getNodeName()).isEqualTo(planned.get(Facts.index(pod))));
    }

    /** What REST says of a job. */
    String ask(String namespace, String name) {
        return muster.get(muster.uri("/api/v1/jobs/" + namespace + "/" + name)).body();
    }

    /** Waits until REST says this of a job somewhere in its answer. */
    String awaitSentence(String namespace, String name, String part) {
        return Await.until(
                "REST says of " + name + ": " + part, () -> ask(namespace, name), answer -> answer.contains(part));
    }

    TeamQueue queue(String name) {
        return plane.admin().resources(TeamQueue.class).withName(name).get();
    }

    GpuNodeClassStatus nodeClassStatus(String name) {
        return plane.admin().resources(GpuNodeClass.class).withName(name).get().getStatus();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    @Override
    public void close() {
        muster.close();
        Installation.removeWebhook(plane);
    }
}
