package dev.muster.app;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.engine.Cluster;
import dev.muster.engine.Engine;
import dev.muster.engine.EngineSettings;
import dev.muster.engine.Views;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the engine, its thread and its questions from the cluster that the configuration names. */
@ApplicationScoped
public class EngineWiring {
    private final EngineLoop loop;

    public EngineWiring(Cluster cluster, InstantSource clock, ClusterWiring wiring, LifeConfig life) {
        long longestWait = wiring.mode() == MusterConfig.Mode.LOCAL ? 50 : 3_600_000;
        this.loop = new EngineLoop(
                new Engine(EngineSettings.DEFAULT.with(life.life())),
                cluster,
                clock,
                longestWait,
                () -> Quarkus.asyncExit(1));
    }

    /** Starts when everything that was injected stands. */
    void start(@Observes StartupEvent ignored) {
        loop.start();
    }

    void stop(@Observes ShutdownEvent ignored) {
        loop.close();
    }

    @Produces
    @Singleton
    EngineLoop loop() {
        return loop;
    }

    /** Questions that any thread may ask: each is answered by the engine's own thread. */
    @Produces
    @Singleton
    Views views() {
        return new Views() {
            @Override
            public List<QueueView> queues() {
                return loop.ask(Views::queues);
            }

            @Override
            public Optional<QueueView> queue(String name) {
                return loop.ask(views -> views.queue(name));
            }

            @Override
            public Optional<GangView> gang(String namespace, String name) {
                return loop.ask(views -> views.gang(namespace, name));
            }

            @Override
            public List<GangView> gangs(
                    @Nullable String queue, @Nullable GangState state, @Nullable Set<String> namespaces, int limit) {
                return loop.ask(views -> views.gangs(queue, state, namespaces, limit));
            }

            @Override
            public List<String> namespaces() {
                return loop.ask(Views::namespaces);
            }

            @Override
            public Set<String> gpuResources() {
                return loop.ask(Views::gpuResources);
            }

            @Override
            public List<NodeClassView> nodeClasses() {
                return loop.ask(Views::nodeClasses);
            }

            @Override
            public List<Promise> promises() {
                return loop.ask(Views::promises);
            }

            @Override
            public ToStore toStore() {
                return loop.ask(Views::toStore);
            }

            @Override
            public Assessment assess(Gang gang) {
                return loop.ask(views -> views.assess(gang));
            }
        };
    }
}
