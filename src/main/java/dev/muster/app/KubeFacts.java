package dev.muster.app;

import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.jobs.Surroundings;
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
        return cluster.job(uid).map(job -> StoredGang.of(job, cluster.holds(job)));
    }
}
