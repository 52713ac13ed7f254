package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.FakeNode;
import dev.muster.cluster.OnControlPlane;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.PastRuns;
import dev.muster.engine.Action;
import dev.muster.engine.Action.Target;
import dev.muster.engine.Event;
import dev.muster.engine.Event.Refusal;
import dev.muster.engine.Plan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The shell alone on a real API server, with Muster's own account: what it sees, what it writes, and when it leads. */
@OnControlPlane
class KubeClusterIT {
    private static final Path RIGHTS = Path.of("src/test/resources/kube/rights.yaml");

    private final ControlPlane plane;
    private final AtomicInteger processes = new AtomicInteger();
    private final List<KubeCluster> started = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> writes = new ConcurrentHashMap<>();
    private String namespace = "";

    KubeClusterIT(ControlPlane plane) {
        this.plane = plane;
    }

    @BeforeEach
    void install() {
        plane.install(Path.of("manifests/crds"));
        plane.install(RIGHTS);
        plane.admin()
                .leases()
                .inNamespace("muster-system")
                .withName(Leadership.NAME)
                .delete();
        namespace = plane.newNamespace("shell");
    }

    @AfterEach
    void close() {
        started.forEach(KubeCluster::close);
    }

    /** Events of one shell, in the order in which they came. */
    private static final class Log extends CopyOnWriteArrayList<Event> {
        private static final long serialVersionUID = 1L;

        <E extends Event> List<E> of(Class<E> type) {
            return stream().filter(type::isInstance).map(type::cast).toList();
        }

        Event.Synced synced() {
            Await.until("the shell is synced", () -> !of(Event.Synced.class).isEmpty());
            List<Event.Synced> all = of(Event.Synced.class);
            return all.get(all.size() - 1);
        }

        <E extends Event> E await(String what, Class<E> type, Predicate<E> wanted) {
            return Await.until(
                            what,
                            () -> of(type).stream().filter(wanted).reduce((a, b) -> b),
                            java.util.Optional::isPresent)
                    .orElseThrow();
        }
    }

    private Log start() {
        Log log = new Log();
        start(log);
        return log;
    }

    private KubeCluster start(Log log) {
        KubeCluster cluster = new KubeCluster(
                plane.asMuster(),
                plane.asMuster(),
                new KubeSettings(
                        "muster-system",
                        "shell-" + processes.incrementAndGet() + "-" + namespace,
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(3),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        16),
                (kind, outcome, nanos) -> writes.merge(kind + " " + outcome, 1, Integer::sum),
                Clock.systemUTC(),
                System::nanoTime);
        cluster.start(log::add);
        started.add(cluster);
        return cluster;
    }

    private HasMetadata job(String name, String more) {
        return plane.create("""
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %s
                  namespace: %s
                  labels: {muster.dev/queue: vision, muster.dev/managed: "true"%s}
                spec:
                  suspend: true
                  parallelism: 2
                  completions: 2
                  completionMode: Indexed
                  template:
                    metadata: {labels: {muster.dev/managed: "true"}}
                    spec:
                      restartPolicy: Never
                      schedulingGates: [{name: muster.dev/place}]
                      containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "4"}}}]
                """.formatted(name, namespace, more));
    }

    private static Target target(Event.GangSeen seen) {
        return new Target(
                seen.gang().uid(),
                seen.gang().namespace(),
                seen.gang().name(),
                seen.status().resourceVersion());
    }

    private static Action.Admit admit(Event.GangSeen seen, String node) {
        Amounts perMember = Amounts.of(Map.of("nvidia.com/gpu", 4L));
        Admission admission = new Admission(
                1, 1, 1000, List.of(new PodSetPlace("main", "h100", perMember, List.of(new NodeSlots(node, 2)))));
        return new Action.Admit(target(seen), admission, "admitted to " + node);
    }

    @Test
    void everythingIsSeenBeforeSynced_AndSyncedCarriesTheFenceOfTheLease() {
        // given
        String node = plane.unique("node");
        plane.nodes(FakeNode.h100(node));
        String uid = job("first", "").getMetadata().getUid();
        // when
        Log log = start();
        Event.Synced synced = log.synced();
        // then
        Lease lease = plane.admin()
                .leases()
                .inNamespace("muster-system")
                .withName(Leadership.NAME)
                .get();
        assertThat(synced.fence())
                .isEqualTo(lease.getMetadata().getUid() + "/" + lease.getSpec().getLeaseTransitions());
        List<Event> before = log.subList(0, log.indexOf(synced));
        assertThat(before)
                .anyMatch(e -> e instanceof Event.NodeSeen n && n.node().name().equals(node));
        assertThat(before)
                .anyMatch(e -> e instanceof Event.GangSeen g && g.gang().uid().equals(uid));
    }

    @Test
    void c18_whileTheNodeWatchIsRefused_NothingIsSynced_AndAssoonAsItIsThereEverythingIs() {
        // given
        var role = plane.admin().rbac().clusterRoles().withName("muster");
        role.edit(r -> {
            r.getRules()
                    .forEach(rule -> rule.setResources(rule.getResources().stream()
                            .filter(resource -> !resource.equals("nodes"))
                            .toList()));
            return r;
        });
        Log log = new Log();
        KubeCluster cluster = start(log);
        // when
        Await.until("only the nodes are missing", () -> cluster.down().equals(List.of("nodes")));
        Await.always(
                "not synced",
                Duration.ofSeconds(2),
                () -> log.of(Event.Synced.class).isEmpty());
        // then
        plane.install(RIGHTS);
        log.synced();
        assertThat(cluster.isSynced()).isTrue();
    }

    @Test
    void anAdmissionIsOnePatch_ThatIsSeenAtOnce_AndAStaleOneIsRefused() {
        // given
        Log log = new Log();
        KubeCluster cluster = start(log);
        log.synced();
        String uid = job("one", "").getMetadata().getUid();
        Event.GangSeen seen = log.await(
                "the job, taken up by its controller",
                Event.GangSeen.class,
                e -> e.gang().uid().equals(uid) && e.status().resumed() == Acknowledged.NO);
        // when
        cluster.carryOut(new Plan(List.of(admit(seen, "n1")), false, Long.MAX_VALUE));
        // then
        Event.WriteDone done =
                log.await("the answer", Event.WriteDone.class, e -> e.uid().equals(uid));
        Event.GangSeen after = log.await(
                "the admitted job",
                Event.GangSeen.class,
                e -> e.status().resourceVersion().equals(done.resourceVersion()));
        assertThat(after.status().suspended()).isFalse();
        assertThat(after.status().state()).isEqualTo(GangState.ADMITTED);
        assertThat(after.status().fence()).isEqualTo(log.synced().fence());
        // when
        cluster.carryOut(new Plan(
                List.of(new Action.Release(target(seen), new PastRuns(1, List.of(60_000L), 60_000))),
                false,
                Long.MAX_VALUE));
        // then
        Event.WriteRefused stale =
                log.await("the refusal", Event.WriteRefused.class, e -> e.uid().equals(uid));
        assertThat(stale.refusal()).isEqualTo(Refusal.STALE);
        Await.until(
                "an Event tells of it",
                () -> plane.admin().events().v1().events().inNamespace(namespace).list().getItems().stream()
                        .anyMatch(e -> "Admitted".equals(e.getReason()) && "admitted to n1".equals(e.getNote())));
        assertThat(writes).containsEntry("admit done", 1).containsEntry("release unsent", 1);
    }

    @Test
    void aGatedPodGetsItsNodeAndLosesItsGate() {
        // given
        String node = plane.unique("node");
        plane.nodes(FakeNode.h100(node).untainted());
        Log log = new Log();
        KubeCluster cluster = start(log);
        log.synced();
        String uid = job("gated", "").getMetadata().getUid();
        Event.GangSeen seen = log.await(
                "the job, taken up by its controller",
                Event.GangSeen.class,
                e -> e.gang().uid().equals(uid) && e.status().resumed() == Acknowledged.NO);
        Action.Admit admit = admit(seen, node);
        cluster.carryOut(new Plan(List.of(admit), false, Long.MAX_VALUE));
        Event.PodSeen pod = log.await(
                "a gated pod",
                Event.PodSeen.class,
                e -> e.pod().gated() && e.pod().namespace().equals(namespace));
        // when
        Target target = new Target(pod.pod().uid(), namespace, pod.pod().name(), "");
        cluster.carryOut(
                new Plan(List.of(new Action.PlacePod(target, "main", uid, admit.admission())), false, Long.MAX_VALUE));
        // then
        Event.PodSeen bound = log.await(
                "the bound pod",
                Event.PodSeen.class,
                e -> e.pod().uid().equals(pod.pod().uid()) && e.pod().node() != null);
        assertThat(bound.pod().node()).isEqualTo(node);
        assertThat(bound.pod().membership().queue()).isEqualTo("vision");
    }

    @Test
    void aPriorityClassThatAppearsLater_ChangesTheGangsThatNameIt() {
        // given
        Log log = start();
        log.synced();
        String name = plane.unique("urgent");
        String uid = job("urgent", ", muster.dev/priority-class: " + name)
                .getMetadata()
                .getUid();
        Await.until(
                "the job is seen",
                () -> log.stream()
                        .anyMatch(e -> e instanceof Event.GangSeen g
                                        && g.gang().uid().equals(uid)
                                || e instanceof Event.GangBlocked u && u.uid().equals(uid)));
        // when
        plane.create("""
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: %s}
                value: 7
                """.formatted(name));
        // then
        log.await(
                "the gang with its priority",
                Event.GangSeen.class,
                e -> e.gang().uid().equals(uid) && e.gang().priority() == 7);
    }

    @Test
    void aReleasedLeaseIsTakenAtOnce_AndTheFenceChanges() {
        // given
        Log first = new Log();
        KubeCluster leader = start(first);
        String before = first.synced().fence();
        Log second = new Log();
        KubeCluster follower = start(second);
        Await.until("the follower is warm", follower::isSynced);
        assertThat(second.of(Event.Synced.class)).isEmpty();
        // when
        leader.close();
        // then
        String after = second.synced().fence();
        assertThat(after.split("/")[0]).isEqualTo(before.split("/")[0]);
        assertThat(Integer.parseInt(after.split("/")[1])).isEqualTo(Integer.parseInt(before.split("/")[1]) + 1);
    }
}
