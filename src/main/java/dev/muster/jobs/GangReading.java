package dev.muster.jobs;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangStatus;
import java.util.List;

/** What became of reading a job as a gang. */
public sealed interface GangReading {
    /** Where the job stands; known even when the gang is not. */
    GangStatus status();

    /** It is a gang. */
    record Readable(Gang gang, GangStatus status) implements GangReading {}

    /** It is none, for all these problems. */
    record Unreadable(List<String> problems, GangStatus status) implements GangReading {
        public Unreadable {
            problems = List.copyOf(problems);
        }

        /** All problems in one text, for the job's owner. */
        public String problem() {
            return String.join("; ", problems);
        }
    }
}
