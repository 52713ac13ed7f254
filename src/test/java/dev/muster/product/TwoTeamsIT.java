package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two teams share four nodes: what quota and nodes allow runs, the rest waits with the right sentence, an auditor watches. */
@OnControlPlane
class TwoTeamsIT {
    private final ControlPlane plane;

    TwoTeamsIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void eightGangsOfTwoTeams_RunFourAtATime_WhereTheyWerePlanned_AndNeverOverQuotaOrNode() {
        try (Site site = Site.installed(plane, "teams")) {
            // given two teams of 16 GPUs each, and four nodes of 8
            List<String> nodes = site.nodes(4);
            String vision = site.queue("vision", 16);
            String nlp = site.queue("nlp", 16);
            String a = plane.newNamespace("vision");
            String b = plane.newNamespace("nlp");
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(a, b), nodes, Map.of(vision, 16L, nlp, 16L))) {
                // when each team submits four gangs of two pods with four GPUs each
                for (int i = 1; i <= 4; i++) {
                    site.submit(Gang.of(a, "v" + i, vision, 2, 4).running("12s"));
                    site.submit(Gang.of(b, "n" + i, nlp, 2, 4).running("12s"));
                }
                // then two of each run, on the nodes that were planned
                for (String first : List.of("1", "2")) {
                    site.assertOnItsPlace(site.awaitState(a, "v" + first, "running"));
                    site.assertOnItsPlace(site.awaitState(b, "n" + first, "running"));
                }
                assertThat(site.started(a)).hasSize(2);
                assertThat(site.started(b)).hasSize(2);
                // and the others say why they wait
                assertThat(Facts.sentence(site.awaitSentence(a, "v3", "QuotaExhausted")))
                        .isEqualTo("Queue " + vision + " uses 16 of its 16 " + site.nodeClass()
                                + " GPUs; this gang needs 8 and 0 are left.");
                // and as they end, the next start, until all have ended
                Await.until(
                        "all gangs have ended",
                        Duration.ofSeconds(90),
                        () -> ended(site, a) + ended(site, b),
                        count -> count == 8);
                auditor.verify();
                assertThat(auditor.mostCharged()).isEqualTo(Map.of(vision, 16L, nlp, 16L));
                assertThat(auditor.mostUsed())
                        .hasSize(4)
                        .allSatisfy((node, gpus) -> assertThat(gpus).isEqualTo(8));
            }
        }
    }

    private static long ended(Site site, String namespace) {
        return site.plane().admin().batch().v1().jobs().inNamespace(namespace).list().getItems().stream()
                .filter(Facts::hasEnded)
                .count();
    }
}
