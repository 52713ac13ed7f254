package dev.muster.engine;

import java.util.function.Consumer;

/** A cluster that is driven: the real one through its API server, or the one in memory. Events may come from any thread. */
public interface Cluster extends AutoCloseable {
    /** Begins to deliver events; {@link Event.Synced} comes after the first complete list of everything. */
    void start(Consumer<Event> events);

    /** Begins to write the actions and returns at once; each answer comes back as an event. */
    void carryOut(Plan plan);

    /** Whether every watch is up and delivering now. */
    boolean isSynced();

    @Override
    void close();
}
