package dev.muster.app;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.jobs.Member;
import dev.muster.jobs.Surroundings;
import dev.muster.kinds.Kinds;
import dev.muster.kube.KubeCluster;
import dev.muster.webhook.DoorFacts;
import dev.muster.webhook.StoredGang;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What the webhook knows of a real cluster: what the watches brought, and what the engine makes of it. */
record KubeFacts(KubeCluster cluster, EngineOutlook outlook) implements DoorFacts {
    @Override
    public boolean isComplete() {
        return cluster.isSynced();
    }

    @Override
    public Surroundings surroundings() {
        return cluster.surroundings();
    }

    @Override
    public Optional<Queue> queue(String name) {
        return Optional.ofNullable(cluster.queues().get(name));
    }

    @Override
    public List<NodeClass> nodeClasses() {
        return cluster.classes().values().stream()
                .sorted(Comparator.comparing(NodeClass::name))
                .toList();
    }

    @Override
    public Outlook outlook(Gang gang) {
        return outlook.of(gang);
    }

    @Override
    public Optional<StoredGang> gang(String uid) {
        return cluster.job(uid).map(seen -> StoredGang.of(seen.reader(), seen.job(), cluster.holds(seen.job())));
    }

    @Override
    public Optional<Member> member(String uid, JsonNode pod) {
        return cluster.job(uid).flatMap(seen -> seen.reader().member(seen.job(), pod));
    }

    @Override
    public Kinds kinds() {
        return cluster.kinds();
    }
}
