package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Waiting;
import dev.muster.jobs.GangReader;
import dev.muster.jobs.Member;
import dev.muster.jobs.PodPlacement;
import dev.muster.jobs.Surroundings;
import dev.muster.kinds.Kinds;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the door knows of the cluster, from memory. Asked from several threads; an answer must not take longer than a cycle. */
public interface DoorFacts {
    /** Whether everything has been seen once; before that nothing is refused or said for want of facts. */
    boolean isComplete();

    /** What jobs are read with. */
    Surroundings surroundings();

    /** The queue of this name. */
    Optional<Queue> queue(String name);

    /** All node classes, by name. */
    List<NodeClass> nodeClasses();

    /** What would become of a gang if it were stored now. */
    Outlook outlook(Gang gang);

    /** The stored job with this UID. */
    Optional<StoredGang> gang(String uid);

    /** Which member of a stored job's gang a pod is that the job's controller makes. */
    default Optional<Member> member(String uid, JsonNode pod) {
        return gang(uid)
                .map(gang -> new Member(GangReader.PODSET, gang.ranked(), PodPlacement.rank(gang.ranked(), pod)));
    }

    /** Kinds that take part beside the batch Job. */
    default Kinds kinds() {
        return Kinds.NONE;
    }

    /**
     * What would become of a gang.
     *
     * @param never why queues and fleet as declared can never run it; null when they could, or when that is not certain
     * @param waiting why it would wait now; null when quota and place are there
     * @param ahead how many waiting gangs of its queue would go before it; negative when that is not known now
     */
    record Outlook(@Nullable Waiting never, @Nullable Waiting waiting, int ahead) {
        /** Nobody can say now. */
        public static final Outlook UNKNOWN = new Outlook(null, null, -1);
    }
}
