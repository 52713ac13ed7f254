package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.ApiProxy;
import dev.muster.cluster.ApiProxy.Caught;
import dev.muster.cluster.ApiProxy.Fate;
import dev.muster.cluster.ApiProxy.Mode;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Muster cannot reach the API server, or does not hear its answer: it decides nothing in the dark, and counts nothing twice. */
@OnControlPlane
class ApiServerOutageIT {
    private final ControlPlane plane;

    ApiServerOutageIT(ControlPlane plane) {
        this.plane = plane;
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"CUT", "HANG"})
    void whileItIsBlind_ItDecidesNothing_AndIsNotReady_AndGoesOnByItself(Mode outage) {
        try (Site site = Site.installed(plane, "blind");
                ApiProxy proxy = ApiProxy.before(plane)) {
            // given a running gang
            List<String> nodes = site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("blind");
            site.muster().through(proxy);
            site.start();
            site.submit(Gang.of(ns, "runs", queue, 2, 4));
            site.awaitState(ns, "runs", "running");
            Set<String> running = runningPods(ns);
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 16L));
                    FenceWitness witness = new FenceWitness(plane.admin(), ns)) {
                // when it is cut off
                proxy.set(outage);
                // then it stops to lead and is not ready
                Await.until(
                        "it does not lead",
                        () -> site.muster().metrics().getOrDefault("muster_leading", 1.0),
                        leading -> leading == 0.0);
                Await.until("it is not ready", () -> !site.muster().isReady());
                // and what comes now is stored and not admitted, and what runs is left alone
                site.submit(Gang.of(ns, "later", queue, 1, 8));
                Await.always(
                        "nothing is decided, and it stays unready",
                        Duration.ofSeconds(5),
                        () -> Boolean.TRUE.equals(
                                        site.job(ns, "later").getSpec().getSuspend())
                                && !site.muster().isReady());
                assertThat(runningPods(ns)).isEqualTo(running).hasSize(2);
                // and once the way is open again it goes on
                proxy.set(Mode.PASS);
                site.awaitState(ns, "later", "running");
                Await.until("it is ready", Duration.ofSeconds(60), site.muster()::isReady, ready -> ready);
                assertThat(runningPods(ns)).containsAll(running).hasSize(3);
                witness.verify();
                auditor.verify();
            }
        }
    }

    @Test
    void anAdmissionWhoseAnswerIsLost_IsStoredOnce_ChargedOnce_AndRuns() {
        try (Site site = Site.installed(plane, "unheard");
                ApiProxy proxy = ApiProxy.before(plane)) {
            // given
            List<String> nodes = site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("unheard");
            site.muster().through(proxy);
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 16L));
                    FenceWitness witness = new FenceWitness(plane.admin(), ns)) {
                // when the answer to its admission does not come back
                Caught lost = proxy.catchNext(
                        Fate.LOSES_ITS_ANSWER,
                        request -> request.startsWith("PATCH ") && request.contains("\"suspend\":false"));
                site.submit(Gang.of(ns, "first", queue, 2, 4));
                Await.until("the admission is stored", lost::answer, line -> line.contains(" 200 "));
                // then the gang runs, and its charge leaves room for exactly one more like it
                site.awaitState(ns, "first", "running");
                site.submit(Gang.of(ns, "second", queue, 2, 4));
                site.awaitState(ns, "second", "running");
                site.submit(Gang.of(ns, "third", queue, 2, 4));
                assertThat(Facts.sentence(site.awaitSentence(ns, "third", "QuotaExhausted")))
                        .isEqualTo("Queue " + queue + " uses 16 of its 16 " + site.nodeClass()
                                + " GPUs; this gang needs 8 and 0 are left.");
                assertThat(admissions(site))
                        .isEqualTo(Map.of(
                                "muster_writes_total{kind=\"admit\",outcome=\"done\"}", 1.0,
                                "muster_writes_total{kind=\"admit\",outcome=\"unknown\"}", 1.0));
                assertThat(auditor.mostCharged()).isEqualTo(Map.of(queue, 16L));
                witness.verify();
                auditor.verify();
            }
        }
    }

    /** How often admissions were sent, by what came of it. */
    private static Map<String, Double> admissions(Site site) {
        return site.muster().metrics().entrySet().stream()
                .filter(series -> series.getKey().startsWith("muster_writes_total{kind=\"admit\"")
                        && series.getValue() > 0
                        && !series.getKey().contains("unsent"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** UIDs of the pods that run. */
    private Set<String> runningPods(String ns) {
        return plane.admin().pods().inNamespace(ns).list().getItems().stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
    }
}
