package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Places that are promised, and places that belong together: reservations and who may pass them, topology and rank order. */
@OnControlPlane
class PromisedPlaceIT {
    private static final String RACK = "test.muster.dev/rack";
    private static final Duration GRACE = Duration.ofSeconds(3);

    private final ControlPlane plane;

    PromisedPlaceIT(ControlPlane plane) {
        this.plane = plane;
    }

    private static Gang bounded(Gang gang, String maxRuntime) {
        return gang.annotated("muster.dev/max-runtime: " + maxRuntime);
    }

    @Test
    void whatEndsBeforeAPromise_OrGivesWayToIt_MayPass_TheRestIsToldForWhomAndUntilWhen_AndTheHolderStarts() {
        try (Site site = Site.installed(plane, "backfill")) {
            // given one of two nodes taken for 20 minutes, and a gang that needs both
            List<String> nodes = site.nodes(2);
            String terms = "preemption: {minRuntime: 0s, grace: %ds}".formatted(GRACE.toSeconds());
            String org = site.queue("org", 0);
            String own = site.queueBelow(org, "own", 16, terms);
            String free = site.queueBelow(org, "free", 0, terms);
            String ns = plane.newNamespace("backfill");
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(own, 16L, free, 16L))
                    .together(Set.of(own, free), 16)) {
                site.submit(bounded(Gang.of(ns, "first", own, 1, 8), "20m"));
                Job first = site.awaitState(ns, "first", "running");
                Job large = site.submit(bounded(Gang.of(ns, "large", own, 2, 8), "20m"));
                assertThat(Facts.sentence(site.awaitSentence(ns, "large", "QuotaExhausted")))
                        .endsWith(" GPUs; this gang needs 16 and 8 are left.");
                // when a long and a short gang come that fit on the other node
                site.submit(bounded(Gang.of(ns, "long", own, 1, 2), "2h"));
                site.submit(bounded(Gang.of(ns, "short", own, 1, 4), "5m"));
                // then the short one runs, and the long one is told for whom it waits and until when
                site.awaitState(ns, "short", "running");
                Instant promised = Instant.ofEpochMilli(Facts.admittedAt(first))
                        .plus(GRACE)
                        .plus(Duration.ofMinutes(20));
                String told = "Node class " + site.nodeClass() + " has room for it now, but it would delay " + ns
                        + "/large, which is promised a start by " + promised + ".";
                assertThat(Facts.sentence(site.awaitSentence(ns, "long", "ReservedForOthers")))
                        .isEqualTo(told);
                // and interruptible work of another queue passes, marked with whom it gives way to
                site.submit(Gang.of(ns, "passing", free, 1, 2).interruptible());
                Job passing = site.awaitState(ns, "passing", "running");
                assertThat(Facts.json(Facts.annotation(passing, Marks.ADMISSION))
                                .path("yieldsTo"))
                        .extracting(JsonNode::asText)
                        .contains(large.getMetadata().getUid());
                // and who has waited for more than a minute carries on its job what REST says
                for (String name : List.of("large", "long")) {
                    Job waiting = Await.until(
                            name + " carries why it waits",
                            Duration.ofSeconds(90),
                            () -> site.job(ns, name),
                            job -> !Facts.annotation(job, Marks.WAITING).isEmpty());
                    assertThat(Facts.state(waiting)).isEqualTo("waiting");
                    JsonNode mark = Facts.json(Facts.annotation(waiting, Marks.WAITING));
                    JsonNode answer = Facts.json(site.ask(ns, name));
                    assertThat(mark.path("reason").asText())
                            .isEqualTo(answer.path("reason").asText());
                    assertThat(Instant.parse(mark.path("since").asText()))
                            .isEqualTo(waiting.getMetadata().getCreationTimestamp())
                            .isBefore(Instant.now().minusSeconds(59));
                }
                assertThat(Facts.sentence(site.ask(ns, "long"))).isEqualTo(told);
                // and when its place is free but for who gives way, that one has to go, and the large one starts
                site.finish(ns, "short");
                site.finish(ns, "first");
                Job started = site.awaitState(ns, "large", "running");
                assertThat(Facts.annotation(started, Marks.WAITING)).isEmpty();
                site.assertOnItsPlace(started);
                assertThat(auditor.stops()).isEqualTo(Map.of("passing", 1));
                site.awaitState(ns, "passing", "waiting");
                assertThat(Facts.isSuspended(site.job(ns, "long"))).isTrue();
                auditor.verify();
            }
        }
    }

    @Test
    void membersStayInOneRackWhereThatIsRequired_SpreadWhereItIsPreferred_AndTheirRanksFollowTheRacks() {
        try (Site site = Site.installed(plane, "racks")) {
            // given two racks of two nodes each, whose names do not follow the racks
            String racked = plane.unique("racked");
            site.nodeClass(racked, RACK);
            Map<String, String> rackOf = new HashMap<>();
            for (int i = 0; i < 4; i++) {
                String rack = i % 2 == 0 ? "r2" : "r1";
                site.nodes(1, racked, node -> node.labelled(RACK, rack)).forEach(name -> rackOf.put(name, rack));
            }
            List<String> nodes = new ArrayList<>(rackOf.keySet());
            String queue =
                    site.queue("team", "{nodeClass: %s, resource: nvidia.com/gpu, nominal: 64}".formatted(racked));
            String ns = plane.newNamespace("racks");
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 32L))) {
                // when one node of each rack is taken, then a gang that needs one rack waits though there are nodes
                // enough
                site.submit(Gang.of(ns, "one", queue, 1, 8));
                site.submit(Gang.of(ns, "other", queue, 1, 8));
                String taken = rackOf.get(Facts.plannedNodes(site.awaitState(ns, "one", "running"))
                        .get(0));
                assertThat(rackOf.get(Facts.plannedNodes(site.awaitState(ns, "other", "running"))
                                .get(0)))
                        .isNotEqualTo(taken);
                site.submit(Gang.of(ns, "whole", queue, 2, 8).annotated("muster.dev/topology: required=" + RACK));
                assertThat(Facts.sentence(site.awaitSentence(ns, "whole", "TopologyTooSmall")))
                        .isEqualTo("No topology domain of class " + racked + " holds 2 x 8 GPUs now.");
                // and when a rack is whole again, it starts there
                site.finish(ns, "one");
                Job whole = site.awaitState(ns, "whole", "running");
                site.assertOnItsPlace(whole);
                assertThat(Facts.plannedNodes(whole)).extracting(rackOf::get).containsExactly(taken, taken);
                // when a gang that no rack holds only prefers one, then it has both, its ranks in the order of racks
                // and names
                site.finish(ns, "other");
                site.finish(ns, "whole");
                site.submit(Gang.of(ns, "wide", queue, 4, 8).annotated("muster.dev/topology: preferred=" + RACK));
                Job wide = site.awaitState(ns, "wide", "running");
                assertThat(Facts.plannedNodes(wide))
                        .isEqualTo(nodes.stream()
                                .sorted(Comparator.comparing((String node) -> rackOf.get(node))
                                        .thenComparing(Comparator.naturalOrder()))
                                .toList());
                site.assertOnItsPlace(wide);
                // and one that no rack could ever hold is refused, with figures
                assertThatThrownBy(() -> site.submit(
                                Gang.of(ns, "never", queue, 3, 8).annotated("muster.dev/topology: required=" + RACK)))
                        .isInstanceOf(KubernetesClientException.class)
                        .hasMessageContaining("It asks for 3 x 100m cpu + 64Mi memory + 8 GPUs; node class " + racked
                                + " has 4 nodes of at most 8 GPUs and could not hold it in one " + RACK
                                + " even when empty.");
                auditor.verify();
            }
        }
    }
}
