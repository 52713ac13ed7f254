package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A gang that does not fit holds nothing, however long it waits; one that can never fit is told so at the door. */
@OnControlPlane
class WholeOrNothingIT {
    private final ControlPlane plane;

    WholeOrNothingIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void threeWholeNodesWithTwoFree_HoldNothing_WhileASmallerGangBehindStarts_AndTooLargeIsRefusedAtSubmit() {
        try (Site site = Site.installed(plane, "whole")) {
            // given four nodes, two of which are taken
            List<String> nodes = site.nodes(4);
            String queue = site.queue("team", 64);
            String ns = plane.newNamespace("whole");
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 32L))) {
                site.submit(Gang.of(ns, "first", queue, 2, 8));
                site.awaitState(ns, "first", "running");
                // when one arrives that needs three whole nodes, and a small one behind it
                site.submit(Gang.of(ns, "big", queue, 3, 8));
                assertThat(Facts.sentence(site.awaitSentence(ns, "big", "NoNodeFits")))
                        .isEqualTo("It needs 3 x 8 GPUs; 16 GPUs are free on the 4 usable nodes of class "
                                + site.nodeClass() + ".");
                site.submit(Gang.of(ns, "small", queue, 1, 4));
                // then the small one runs, and the big one holds nothing
                site.awaitState(ns, "small", "running");
                Await.always(
                        "the big gang holds nothing",
                        Duration.ofSeconds(2),
                        () -> site.job(ns, "big").getSpec().getSuspend()
                                && site.pods(ns, "big").isEmpty());
                // and one that the fleet could never run is refused
                assertThatThrownBy(() -> site.submit(Gang.of(ns, "never", queue, 1, 16)))
                        .isInstanceOf(KubernetesClientException.class)
                        .hasMessageContaining("16 GPUs")
                        .hasMessageContaining(site.nodeClass());
                // and the big one starts when nodes become whole again
                plane.admin()
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace(ns)
                        .withName("first")
                        .delete();
                site.awaitState(ns, "big", "running");
                auditor.verify();
            }
        }
    }
}
