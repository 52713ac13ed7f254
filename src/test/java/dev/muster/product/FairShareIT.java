package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Teams lend what lies idle and get it back: who may borrow, who has to go, how it is told, and what a crash changes. */
@OnControlPlane
class FairShareIT {
    private final ControlPlane plane;

    FairShareIT(ControlPlane plane) {
        this.plane = plane;
    }

    /** Unprotected from its start, with so long to stop once it was told. */
    private static String grace(int seconds) {
        return "preemption: {minRuntime: 0s, grace: %ds}".formatted(seconds);
    }

    @Test
    void interruptibleWorkBorrowsIdleNominal_AndFirmWorkIsToldWhyItMayNot() {
        try (Site site = Site.installed(plane, "borrow")) {
            // given a team whose 8 GPUs lie idle, one that owns none, and a firm gang that came while nobody was at the
            // door
            List<String> nodes = site.nodes(1);
            String org = site.queue("org", 0);
            String owner = site.queueBelow(org, "owner", 8, grace(5));
            String guest = site.queueBelow(org, "guest", 0, grace(5));
            String ns = plane.newNamespace("borrow");
            site.submit(Gang.of(ns, "firm", guest, 1, 8));
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(owner, 0L, guest, 8L))
                    .together(Set.of(owner, guest), 8)) {
                // when an interruptible gang comes
                site.submit(Gang.of(ns, "borrower", guest, 2, 4).interruptible());
                // then it runs on what others own, and the queue says so
                site.assertOnItsPlace(site.awaitState(ns, "borrower", "running"));
                assertThat(Await.until(
                                        "the status counts the borrowed GPUs",
                                        () -> site.queue(guest).getStatus(),
                                        status -> status != null
                                                && Integer.valueOf(1).equals(status.admitted()))
                                .usage())
                        .singleElement()
                        .satisfies(usage -> {
                            assertThat(usage.used().getAmount()).isEqualTo("8");
                            assertThat(usage.nominal().getAmount()).isEqualTo("0");
                        });
                // and the firm one does not, and says why; at the door the same is a refusal
                String why = "It needs 8 " + site.nodeClass() + " GPUs, but queue " + guest
                        + " can use at most 0 for work that is not interruptible.";
                assertThat(Facts.sentence(site.awaitSentence(ns, "firm", "NeverRunnable")))
                        .isEqualTo(why);
                assertThatThrownBy(() -> site.submit(Gang.of(ns, "late", guest, 1, 8)))
                        .isInstanceOf(KubernetesClientException.class)
                        .hasMessageContaining(why)
                        .hasMessageContaining("mark it interruptible so that it may borrow");
                assertThat(site.started(ns)).hasSize(1);
                auditor.verify();
            }
        }
    }

    @Test
    void anOwnerGetsItsNominalBackAfterNoticeAndGrace_ItsWholePlaceIsKeptMeanwhile_AndTheBorrowerComesBackLater() {
        try (Site site = Site.installed(plane, "reclaim")) {
            // given a borrower on one of the owner's two nodes, and a third team with quota of its own for one more
            List<String> nodes = site.nodes(2).stream().sorted().toList();
            String org = site.queue("org", 0);
            String owner = site.queueBelow(org, "owner", 16, grace(8));
            String guest = site.queueBelow(org, "guest", 0, grace(8));
            String third = site.queue("third", 8);
            String ns = plane.newNamespace("reclaim");
            site.start();
            try (Auditor auditor = new Auditor(
                            plane.admin(), Set.of(ns), nodes, Map.of(owner, 16L, guest, 16L, third, 8L))
                    .together(Set.of(owner, guest), 16)) {
                site.submit(Gang.of(ns, "borrower", guest, 1, 8).interruptible());
                site.awaitState(ns, "borrower", "running");
                // when the owner wants both nodes
                site.submit(Gang.of(ns, "claimant", owner, 2, 8));
                // then the borrower is told by when it has to go, and runs on
                Job told = awaitNotice(site, ns, "borrower");
                Instant stopAt = Instant.parse(Facts.annotation(told, Marks.STOP_AT));
                assertThat(Facts.state(told)).isEqualTo("stopping");
                assertThat(Facts.isSuspended(told)).isFalse();
                assertThat(Facts.claimedNodes(site.job(ns, "claimant"))).isEqualTo(nodes);
                assertThat(Facts.sentence(site.ask(ns, "claimant")))
                        .isEqualTo("It has claimed its place in node class " + site.nodeClass() + " and waits for " + ns
                                + "/borrower to stop.");
                // and though a node is free and a newcomer has quota, the newcomer does not slip in
                site.submit(Gang.of(ns, "newcomer", third, 1, 4));
                site.awaitSentence(ns, "newcomer", "NoNodeFits");
                Await.always(
                        "the borrower runs and the newcomer waits, until the time that was told",
                        Duration.between(Instant.now(), stopAt).minusMillis(500),
                        () -> isRunning(site, ns, "borrower")
                                && Facts.isSuspended(site.job(ns, "newcomer"))
                                && Facts.isSuspended(site.job(ns, "claimant")));
                // and the borrower is suspended then, not earlier, and its pods go
                awaitSuspended(site, ns, "borrower");
                assertThat(Instant.now()).isAfterOrEqualTo(stopAt);
                Await.until("its pods are gone", () -> site.pods(ns, "borrower").isEmpty());
                // and the owner runs where it had claimed, and the borrower waits again
                Job started = site.awaitState(ns, "claimant", "running");
                assertThat(Facts.plannedNodes(started)).isEqualTo(nodes);
                assertThat(Facts.annotation(started, Marks.CLAIM)).isEmpty();
                site.assertOnItsPlace(started);
                Job again = site.awaitState(ns, "borrower", "waiting");
                assertThat(Facts.annotation(again, Marks.ADMISSION) + Facts.annotation(again, Marks.STOP_AT))
                        .isEmpty();
                assertThat(Facts.json(Facts.annotation(again, Marks.WAITING))
                                .path("reason")
                                .asText())
                        .isEqualTo("Preempted");
                assertThat(Facts.sentence(site.awaitSentence(ns, "borrower", "QuotaExhausted")))
                        .isEqualTo("Queue " + org + ", above " + guest + ", uses 16 of its 16 " + site.nodeClass()
                                + " GPUs; this gang needs 8 and 0 are left.");
                assertThat(Facts.isSuspended(site.job(ns, "newcomer"))).isTrue();
                // and when there is room, both run
                site.finish(ns, "claimant");
                Job second = site.awaitState(ns, "borrower", "running");
                assertThat(Facts.json(Facts.annotation(second, Marks.ADMISSION))
                                .path("attempt")
                                .asInt())
                        .isEqualTo(2);
                site.assertOnItsPlace(second);
                site.awaitState(ns, "newcomer", "running");
                auditor.verify();
                assertThat(auditor.mostCharged()).isEqualTo(Map.of(owner, 16L, guest, 8L, third, 4L));
                assertThat(auditor.stops()).isEqualTo(Map.of("borrower", 1));
            }
        }
    }

    @Test
    void inOneQueueHigherPriorityStopsLower_WithGrace_WhichAFreshCheckpointEndsEarly() {
        try (Site site = Site.installed(plane, "priority")) {
            // given a queue with a grace of five minutes that is full of interruptible work
            List<String> nodes = site.nodes(1);
            String queue = site.queueOf(
                    "team",
                    "quotas: [{nodeClass: %s, resource: nvidia.com/gpu, nominal: 8}], %s"
                            .formatted(site.nodeClass(), grace(300)));
            String high = plane.unique("high");
            plane.create("""
                    apiVersion: scheduling.k8s.io/v1
                    kind: PriorityClass
                    metadata: {name: %s}
                    value: 1000
                    """.formatted(high));
            String ns = plane.newNamespace("priority");
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 8L))) {
                site.submit(Gang.of(ns, "low", queue, 1, 8).interruptible());
                site.awaitState(ns, "low", "running");
                // when an equal one comes, then nobody is told; when one of a higher class comes, the low one is
                site.submit(Gang.of(ns, "equal", queue, 1, 8));
                site.awaitSentence(ns, "equal", "QuotaExhausted");
                assertThat(Facts.annotation(site.job(ns, "low"), Marks.STOP_AT)).isEmpty();
                site.submit(Gang.of(ns, "urgent", queue, 1, 8).labelled("muster.dev/priority-class: " + high));
                Instant stopAt = Instant.parse(Facts.annotation(awaitNotice(site, ns, "low"), Marks.STOP_AT));
                // when its trainer had saved before it was told, then it runs on
                saved(ns, "low", stopAt.minusSeconds(301));
                Await.always("it runs on", Duration.ofSeconds(2), () -> isRunning(site, ns, "low"));
                // when it saves after that, then it is stopped at once
                saved(ns, "low", Instant.now());
                awaitSuspended(site, ns, "low");
                assertThat(Instant.now()).isBefore(stopAt.minusSeconds(60));
                site.assertOnItsPlace(site.awaitState(ns, "urgent", "running"));
                site.awaitState(ns, "low", "waiting");
                assertThat(site.pods(ns, "low")).isEmpty();
                assertThat(Facts.isSuspended(site.job(ns, "equal"))).isTrue();
                auditor.verify();
                assertThat(auditor.stops()).isEqualTo(Map.of("low", 1));
            }
        }
    }

    @Test
    void killedBetweenClaimAndStop_ItGoesOnToTheSameEnd_AndStopsEachVictimOnce() {
        try (Site site = Site.installed(plane, "crash")) {
            // given two borrowers on the owner's two nodes
            List<String> nodes = site.nodes(2).stream().sorted().toList();
            String org = site.queue("org", 0);
            String owner = site.queueBelow(org, "owner", 16, grace(20));
            String guest = site.queueBelow(org, "guest", 0, grace(20));
            String third = site.queue("third", 8);
            String ns = plane.newNamespace("crash");
            site.start();
            try (Auditor auditor = new Auditor(
                            plane.admin(), Set.of(ns), nodes, Map.of(owner, 16L, guest, 16L, third, 8L))
                    .together(Set.of(owner, guest), 16)) {
                List<String> borrowers = List.of("b1", "b2");
                for (String name : borrowers) {
                    site.submit(Gang.of(ns, name, guest, 1, 8).interruptible());
                    site.awaitState(ns, name, "running");
                }
                // when Muster is killed as soon as the owner's claim is stored, and a newcomer is submitted meanwhile
                site.submit(Gang.of(ns, "claimant", owner, 2, 8));
                Job claiming = Await.until(
                        "the claim is stored",
                        () -> site.job(ns, "claimant"),
                        job -> !Facts.annotation(job, Marks.CLAIM).isEmpty());
                site.muster().kill();
                assertThat(auditor.stops()).isEmpty();
                site.submit(Gang.of(ns, "newcomer", third, 1, 4));
                // then the next one goes on: the borrowers are stopped, and the owner starts where it had claimed
                site.muster().startUnready();
                site.awaitLead();
                Job started = site.awaitState(ns, "claimant", "running");
                assertThat(Facts.plannedNodes(started))
                        .isEqualTo(Facts.claimedNodes(claiming))
                        .isEqualTo(nodes);
                site.assertOnItsPlace(started);
                for (String name : borrowers) {
                    assertThat(Facts.annotation(site.awaitState(ns, name, "waiting"), Marks.STOP_AT))
                            .isEmpty();
                    assertThat(site.pods(ns, name)).isEmpty();
                }
                assertThat(Facts.isSuspended(site.job(ns, "newcomer"))).isTrue();
                assertThat(auditor.stops()).isEqualTo(Map.of("b1", 1, "b2", 1));
                auditor.verify();
            }
        }
    }

    private static Job awaitNotice(Site site, String ns, String name) {
        return Await.until(
                name + " is told by when it has to go",
                () -> site.job(ns, name),
                job -> !Facts.annotation(job, Marks.STOP_AT).isEmpty());
    }

    private static void awaitSuspended(Site site, String ns, String name) {
        Await.until(name + " is suspended", () -> site.job(ns, name), Facts::isSuspended);
    }

    /** Whether the job is not suspended and all of its pods run. */
    private static boolean isRunning(Site site, String ns, String name) {
        Job job = site.job(ns, name);
        return !Facts.isSuspended(job)
                && site.pods(ns, name).stream()
                                .filter(pod -> "Running".equals(pod.getStatus().getPhase())
                                        && pod.getMetadata().getDeletionTimestamp() == null)
                                .count()
                        == job.getSpec().getParallelism();
    }

    /** The job's trainer says when it saved its work last. */
    private void saved(String ns, String name, Instant at) {
        plane.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(ns)
                .withName(name)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + Marks.LAST_CHECKPOINT + "\":\"" + at + "\"}}}");
    }
}
