package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.GpuNodeClassStatus;
import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Gangs that are moved where only place is missing, promises that outlive the process, and jobs of many waves. */
@OnControlPlane
class MovedAndRememberedIT {
    private final ControlPlane plane;

    MovedAndRememberedIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void whereOnlyPlaceIsMissing_AnInterruptibleGangIsMoved_AndBothRun_AlsoWhenMusterIsKilledInBetween() {
        try (Site site = Site.installed(plane, "moved")) {
            // given two nodes with 4 and 4 GPUs free, held by a firm and an interruptible gang
            List<String> nodes = site.nodes(2).stream().sorted().toList();
            String queue = site.queueOf(
                    "team",
                    "quotas: [{nodeClass: %s, resource: nvidia.com/gpu, nominal: 16}], preemption: {minRuntime: 0s, grace: 8s}"
                            .formatted(site.nodeClass()));
            String ns = plane.newNamespace("moved");
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 16L))) {
                site.submit(Gang.of(ns, "firm", queue, 1, 4));
                site.awaitState(ns, "firm", "running");
                site.submit(Gang.of(ns, "filler", queue, 1, 4));
                site.awaitState(ns, "filler", "running");
                site.submit(Gang.of(ns, "small", queue, 1, 4).interruptible());
                Job small = site.awaitState(ns, "small", "running");
                site.finish(ns, "filler");
                site.awaitState(ns, "filler", "finished");
                String other = Facts.plannedNodes(small).get(0);
                // when a gang comes that needs a whole node
                site.submit(Gang.of(ns, "large", queue, 1, 8));
                // then the small one is told to move, and keeps its new place on its own job
                Job told = Await.until(
                        "small is told",
                        () -> site.job(ns, "small"),
                        job -> !Facts.annotation(job, Marks.STOP_AT).isEmpty());
                assertThat(Facts.claimedNodes(told)).isNotEmpty().doesNotContain(other);
                assertThat(Facts.sentence(site.ask(ns, "large"))).contains("is made free by moving " + ns + "/small.");
                // and a killed Muster changes nothing of it
                site.muster().kill();
                site.muster().startUnready();
                site.awaitLead();
                Job large = site.awaitState(ns, "large", "running");
                assertThat(Facts.plannedNodes(large)).containsExactly(other);
                Job moved = Await.until(
                        "small runs again",
                        () -> site.job(ns, "small"),
                        job -> "running".equals(Facts.state(job)) && !Facts.isSuspended(job));
                assertThat(Facts.plannedNodes(moved)).isEqualTo(Facts.claimedNodes(told));
                assertThat(Facts.annotation(moved, Marks.CLAIM)).isEmpty();
                site.assertOnItsPlace(moved);
                auditor.verify();
                assertThat(auditor.stops()).isEqualTo(Map.of("small", 1));
            }
        }
    }

    @Test
    void aPromiseStandsInTheStatusOfTheClass_AndIsKeptByWhoeverLeadsNext() {
        try (Site site = Site.installed(plane, "promise")) {
            site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("promise");
            site.start();
            site.submit(Gang.of(ns, "first", queue, 1, 8).annotated("muster.dev/max-runtime: 20m"));
            site.awaitState(ns, "first", "running");
            site.submit(Gang.of(ns, "large", queue, 2, 8).annotated("muster.dev/max-runtime: 20m"));
            // given the promise of the waiting gang in the status of its class
            GpuNodeClassStatus.Reserved promised = promise(site);
            assertThat(promised.job()).isEqualTo(ns + "/large");
            assertThat(promised.by()).isNotNull();
            // when Muster is killed, then the next one promises the same
            site.muster().kill();
            site.muster().startUnready();
            site.awaitLead();
            Await.always(
                    "the promise stays",
                    Duration.ofSeconds(12),
                    () -> promise(site).equals(promised));
        }
    }

    private GpuNodeClassStatus.Reserved promise(Site site) {
        return Await.until(
                        "a promise stands in the status",
                        () -> site.nodeClassStatus(site.nodeClass()),
                        status -> status != null && status.reservations().size() == 1)
                .reservations()
                .get(0);
    }

    @Test
    void aJobOfManyWavesIsChargedForOneWaveAtATime_AndForWhatIsLeftAtTheEnd() {
        try (Site site = Site.installed(plane, "waves")) {
            // given room for two members, and a job of five completions, two at a time
            List<String> nodes = site.nodes(1);
            String queue = site.queue("team", 8);
            String ns = plane.newNamespace("waves");
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 8L))) {
                plane.create(Gang.of(ns, "waves", queue, 2, 4)
                        .running("2s")
                        .yaml()
                        .replace("completions: 2", "completions: 5"));
                // when it runs, then a gang that needs the whole node waits until the last wave has left
                site.awaitState(ns, "waves", "running");
                site.submit(Gang.of(ns, "half", queue, 1, 4));
                site.awaitState(ns, "waves", "finished");
                Job half = site.awaitState(ns, "half", "running");
                assertThat(site.job(ns, "waves").getStatus().getSucceeded()).isEqualTo(5);
                site.assertOnItsPlace(half);
                auditor.verify();
                assertThat(auditor.mostCharged().get(queue)).isEqualTo(8L);
            }
        }
    }
}
