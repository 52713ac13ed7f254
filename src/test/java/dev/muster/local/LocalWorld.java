package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.engine.Engine;
import dev.muster.engine.EngineSettings;
import dev.muster.engine.Event;
import dev.muster.engine.Plan;
import dev.muster.engine.Views;
import dev.muster.files.FileTree;
import dev.muster.files.ManifestReader;
import dev.muster.local.rules.LocalRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A local cluster and an engine in one thread and in virtual time, filled from the folder queues/. */
final class LocalWorld {
    static final long BEGIN = 1_800_000_000_000L;
    private static final LocalRules RULES = readRules();

    final Engine engine = new Engine(EngineSettings.DEFAULT);
    final LocalCluster cluster;
    final SimpleDoor door = new SimpleDoor(uid -> job(uid));
    final List<Event> seen = new ArrayList<>();
    private final ArrayDeque<Event> inbox = new ArrayDeque<>();
    long now = BEGIN;

    LocalWorld() {
        cluster = new LocalCluster(door, RULES, () -> now, Runnable::run);
    }

    private static LocalRules readRules() {
        try {
            return LocalRules.read(
                    FileTree.texts(Path.of("manifests/crds"), ".yaml").values(),
                    FileTree.texts(Path.of("webhook/policies"), ".yaml").values());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The teams, classes and nodes of the demo, and a started engine. */
    static LocalWorld demo() throws IOException {
        LocalWorld world = new LocalWorld();
        var texts = FileTree.texts(Path.of("queues"), ".yaml");
        texts.keySet().removeIf(file -> file.startsWith("examples/"));
        Applied applied = world.cluster.apply(new ManifestReader().readAll(texts), false);
        if (applied.refused()) {
            throw new IllegalStateException(applied.text());
        }
        world.cluster.start(event -> {
            world.inbox.add(event);
            world.seen.add(event);
        });
        world.decide();
        return world;
    }

    Applied apply(String yaml) {
        Applied applied = cluster.apply(yaml, false);
        decide();
        return applied;
    }

    /** Lets time go by in steps of ten seconds. */
    void pass(Duration time) {
        long end = now + time.toMillis();
        while (now < end) {
            now = Math.min(end, now + 10_000);
            cluster.tick();
            decide();
        }
    }

    /** Engine and cluster, until neither has more to say. */
    void decide() {
        Plan plan;
        do {
            while (!inbox.isEmpty()) {
                engine.apply(inbox.poll());
            }
            plan = engine.cycle(now, 1000);
            cluster.carryOut(plan);
        } while (!inbox.isEmpty() || plan.more());
    }

    Views.GangView gang(String namespace, String name) {
        return engine.views().gang(namespace, name).orElseThrow();
    }

    private Optional<ObjectNode> job(String uid) {
        return cluster.object(uid);
    }

    static String example(String name) throws IOException {
        return Files.readString(Path.of("queues/examples", name));
    }
}
