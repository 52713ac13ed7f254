package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.TeamQueue;
import dev.muster.cluster.ApiProxy;
import dev.muster.cluster.ApiProxy.Caught;
import dev.muster.cluster.ApiProxy.Fate;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.MusterProcess;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two processes, of which one leads until it is frozen or killed: the other goes on, and nothing is done twice. */
@OnControlPlane
class TwoLeadersIT {
    private static final Logger LOG = LoggerFactory.getLogger(TwoLeadersIT.class);
    /** As {@link Site} sets it. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    private final ControlPlane plane;

    TwoLeadersIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void aFrozenLeader_IsReplaced_AndNoneOfItsLateWritesLands_AndItFollowsThen() {
        try (Site site = Site.installed(plane, "frozen");
                ApiProxy proxy = ApiProxy.before(plane);
                MusterProcess other = site.muster().twin("frozen-other")) {
            // given a leader with one admission under way that does not reach the API server, and a follower
            List<String> nodes = site.nodes(2);
            String queue = site.queue("team", 16);
            String untouched = site.queue("untouched", 16);
            String ns = plane.newNamespace("frozen");
            MusterProcess leader = site.muster().through(proxy);
            site.start();
            other.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 16L, untouched, 16L));
                    FenceWitness witness = new FenceWitness(plane.admin(), ns)) {
                site.submit(Gang.of(ns, "early", queue, 1, 4).running("3s"));
                site.awaitState(ns, "early", "running");
                Caught late = proxy.catchNext(Fate.HELD, TwoLeadersIT::isAdmission);
                site.submit(Gang.of(ns, "late", untouched, 1, 4).running("3s"));
                Await.until("an admission is under way", late::isSent);
                // when it is frozen until the other one leads and has admitted something else, and goes on then
                leader.freeze();
                long frozen = System.nanoTime();
                stop(untouched, "Hold"); // so that nothing but the fence can refuse the late write
                awaitLead(other);
                for (int i = 0; i < 8; i++) {
                    site.submit(Gang.of(ns, "g" + i, queue, 2, 4).running("3s"));
                }
                LOG.info("taken over from a frozen leader after {} ms", millisSince(frozen));
                Await.until(
                        "the other one admits", Duration.ofSeconds(60), () -> admissions(other), count -> count > 0);
                leader.thaw();
                late.release();
                // then the late admission is refused, the old leader follows, and all run to their end, once
                Await.until("the late admission is answered", late::answer, line -> !line.isEmpty());
                assertThat(late.answer()).contains(" 403 ");
                stop(untouched, "None");
                Await.until(
                        "the old leader follows",
                        () -> leader.metrics().getOrDefault("muster_leading", 1.0),
                        leading -> leading == 0.0);
                Await.until("all have ended", Duration.ofSeconds(120), () -> ended(ns), count -> count == 10);
                assertThat(admissions(leader))
                        .as("admissions of the old leader")
                        .isEqualTo(1);
                assertThat(leading(leader)).isZero();
                assertThat(leading(other)).isEqualTo(1.0);
                Await.until("the old leader is ready, as a follower", leader::isReady);
                assertThat(witness.leaders()).isEqualTo(2);
                witness.verify();
                auditor.verify();
            }
        }
    }

    private void stop(String queue, String how) {
        plane.admin()
                .resources(TeamQueue.class)
                .withName(queue)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"stop\":\"" + how + "\"}}");
    }

    @Test
    void aKilledLeader_IsReplacedWithinTheLeaseAndFiveSeconds_AndNothingIsAdmittedTwice() {
        try (Site site = Site.installed(plane, "killed-leader");
                MusterProcess other = site.muster().twin("killed-leader-other")) {
            // given a leader in the middle of its work, and a follower
            List<String> nodes = site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("killed-leader");
            site.start();
            other.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 16L));
                    FenceWitness witness = new FenceWitness(plane.admin(), ns)) {
                for (int i = 0; i < 6; i++) {
                    site.submit(Gang.of(ns, "g" + i, queue, 2, 4).running("3s"));
                }
                Await.until("two are admitted", () -> admissions(site.muster()), count -> count >= 2);
                // when
                site.muster().kill();
                long killed = System.nanoTime();
                // then
                awaitLead(other);
                long took = millisSince(killed);
                LOG.info("taken over from a killed leader after {} ms", took);
                assertThat(Duration.ofMillis(took)).isLessThanOrEqualTo(LEASE.plusSeconds(5));
                Await.until("all have ended", Duration.ofSeconds(120), () -> ended(ns), count -> count == 6);
                assertThat(witness.leaders()).isEqualTo(2);
                witness.verify();
                auditor.verify();
            }
        }
    }

    private static boolean isAdmission(String request) {
        return request.startsWith("PATCH ") && request.contains("/jobs/") && request.contains("\"suspend\":false");
    }

    private static void awaitLead(MusterProcess muster) {
        Await.until("the other one leads", Duration.ofSeconds(60), () -> leading(muster), leads -> leads == 1.0);
    }

    private static double leading(MusterProcess muster) {
        return muster.metrics().getOrDefault("muster_leading", 0.0);
    }

    private static double admissions(MusterProcess muster) {
        return muster.metrics().getOrDefault("muster_writes_total{kind=\"admit\",outcome=\"done\"}", 0.0);
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private long ended(String ns) {
        return plane.admin().batch().v1().jobs().inNamespace(ns).list().getItems().stream()
                .filter(Facts::hasEnded)
                .count();
    }
}
