package dev.muster.core.model;

import java.util.List;

/** What became of reading a job as a gang. */
public sealed interface GangReading {
    /** Where the job stands; known even when the gang is not. */
    GangStatus status();

    /** It is a gang. */
    record Readable(Gang gang, GangStatus status) implements GangReading {}

    /**
     * It is a gang, but may not be decided about as it stands.
     *
     * @param queue as its label says
     * @param submittedAt milliseconds since the epoch
     */
    record Blocked(
            String uid,
            String namespace,
            String name,
            String queue,
            long submittedAt,
            Waiting waiting,
            GangStatus status)
            implements GangReading {}

    /**
     * It is none, for all these problems.
     *
     * @param uid empty while the job is not stored yet
     * @param queue as its label says; empty when it has none
     * @param submittedAt milliseconds since the epoch; 0 while the job is not stored yet
     */
    record Unreadable(
            String uid,
            String namespace,
            String name,
            String queue,
            long submittedAt,
            List<String> problems,
            GangStatus status)
            implements GangReading {
        public Unreadable {
            problems = List.copyOf(problems);
        }

        /** All problems in one text, for the job's owner. */
        public String problem() {
            return String.join("; ", problems);
        }
    }
}
