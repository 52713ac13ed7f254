package dev.muster.core.decide;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Queue;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What gangs are charged: of what a member requests the resources that its queue names in the class, and always GPUs: those
 * that it makes unusable.
 */
final class Charging {
    private final Map<String, Queue> queues;
    private final Map<String, String> gpuOfClass;
    private final Function<String, Amounts> nodeSizes;

    /** Sees changes of the maps: queues by name, and the GPU of each class. */
    Charging(Map<String, Queue> queues, Map<String, String> gpuOfClass, Function<String, Amounts> nodeSizes) {
        this.queues = queues;
        this.gpuOfClass = gpuOfClass;
        this.nodeSizes = nodeSizes;
    }

    /** What one member of a queue is charged in this class. */
    Amounts perMember(String queue, String nodeClass, Amounts requests) {
        Queue of = queues.get(queue);
        String gpu = gpuOfClass.get(nodeClass);
        Map<String, Long> charged = new TreeMap<>();
        requests.byResource().forEach((resource, amount) -> {
            if (of != null && of.names(nodeClass, resource)) {
                charged.put(resource, amount);
            }
        });
        if (gpu != null) {
            charged.put(gpu, Unusable.gpus(requests, gpu, nodeSizes.apply(nodeClass)));
        }
        return Amounts.of(charged);
    }

    /** What all members of a gang together are charged in this class. */
    Amounts of(Gang gang, String nodeClass) {
        Amounts sum = Amounts.NONE;
        for (PodSet podset : gang.podsets()) {
            Amounts each = perMember(gang.queue(), nodeClass, podset.shape().requests());
            sum = sum.plus(each.times(podset.count()));
        }
        return sum;
    }
}
