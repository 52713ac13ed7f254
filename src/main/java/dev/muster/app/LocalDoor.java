package dev.muster.app;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.engine.Views;
import dev.muster.jobs.Surroundings;
import dev.muster.local.Door;
import dev.muster.local.LocalCluster;
import dev.muster.webhook.Decision;
import dev.muster.webhook.DoorFacts;
import dev.muster.webhook.Doors;
import dev.muster.webhook.StoredGang;
import dev.muster.webhook.Verdict;
import jakarta.inject.Provider;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The webhook's decisions, asked by the cluster in memory without HTTP, over what that cluster stores. */
final class LocalDoor implements Door {
    private final Provider<Views> views;
    private @Nullable Map<String, Decision> decisions;

    LocalDoor(Provider<Views> views) {
        this.views = views;
    }

    /** Says which cluster it stands at; before anything is asked. */
    void over(LocalCluster cluster) {
        decisions = Doors.over(new Facts(cluster, new EngineOutlook(views::get)));
    }

    @Override
    public Answer ask(Question question, JsonNode request) {
        Map<String, Decision> made = decisions;
        if (made == null) {
            throw new IllegalStateException("the door is asked before it stands at a cluster");
        }
        Decision decision = made.get(path(question));
        if (decision == null) {
            throw new IllegalStateException("nothing is decided at " + path(question));
        }
        Verdict verdict = decision.on(request);
        return new Answer(verdict.allowed(), verdict.message(), verdict.warnings(), verdict.patch());
    }

    private static String path(Question question) {
        return switch (question) {
            case MUTATE_JOB -> Doors.MUTATE_JOBS;
            case VALIDATE_JOB -> Doors.VALIDATE_JOBS;
            case VALIDATE_QUEUE -> Doors.VALIDATE_QUEUES;
            case VALIDATE_CLASS -> Doors.VALIDATE_CLASSES;
            case PLACE_POD -> Doors.PLACE_PODS;
        };
    }

    /** What the cluster in memory stores. Every admission in it is its own, so every fence holds. */
    private record Facts(LocalCluster cluster, EngineOutlook outlook) implements DoorFacts {
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
            return cluster.queue(name);
        }

        @Override
        public List<NodeClass> nodeClasses() {
            return cluster.nodeClasses();
        }

        @Override
        public Outlook outlook(Gang gang) {
            return outlook.of(gang);
        }

        @Override
        public Optional<StoredGang> gang(String uid) {
            return cluster.job(uid).map(job -> StoredGang.of(job, true));
        }
    }
}
