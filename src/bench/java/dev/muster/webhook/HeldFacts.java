package dev.muster.webhook;

import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.jobs.Surroundings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Facts of a file as the product holds its own: read once, and found by name or UID. What the engine would say is constant. */
final class HeldFacts implements DoorFacts {
    private final GivenFacts given;
    private final Map<String, Queue> queues = new LinkedHashMap<>();
    private final Map<String, StoredGang> gangs = new LinkedHashMap<>();
    private final List<NodeClass> classes;
    private final Outlook outlook;

    HeldFacts(GivenFacts given) {
        this.given = given;
        given.given().path("queues").forEach(queue -> {
            String name = queue.at("/metadata/name").asText();
            given.queue(name).ifPresent(read -> queues.put(name, read));
        });
        given.given().path("jobs").forEach(job -> {
            String uid = job.at("/metadata/uid").asText();
            given.gang(uid).ifPresent(read -> gangs.put(uid, read));
        });
        this.classes = given.nodeClasses();
        this.outlook = new Outlook(null, null, 3);
    }

    @Override
    public boolean isComplete() {
        return true;
    }

    @Override
    public Surroundings surroundings() {
        return given.surroundings();
    }

    @Override
    public Optional<Queue> queue(String name) {
        return Optional.ofNullable(queues.get(name));
    }

    @Override
    public List<NodeClass> nodeClasses() {
        return classes;
    }

    @Override
    public Outlook outlook(Gang gang) {
        return outlook;
    }

    @Override
    public Optional<StoredGang> gang(String uid) {
        return Optional.ofNullable(gangs.get(uid));
    }
}
