package dev.muster.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What queues demand of each gang by itself, whatever else runs or waits: size, priority, run time, and that it says which
 * GPUs it needs. The limits of a queue bind the gangs of all queues below it. The door refuses by these terms, and the engine
 * holds by them what the door let pass.
 *
 * @param path a queue and those above it, in this order; empty when it is in no tree, and then nothing is demanded
 * @param gpuResources what some node class names as its GPU
 */
public record QueueTerms(List<Queue> path, Set<String> gpuResources) {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    public QueueTerms {
        path = List.copyOf(path);
        gpuResources = Set.copyOf(gpuResources);
    }

    /** Everything that the gang breaks, queue by queue; empty when it keeps all terms. */
    public List<Waiting> broken(Gang gang) {
        List<Waiting> broken = new ArrayList<>();
        if (!path.isEmpty() && path.get(0).purpose() == Queue.Purpose.SERVING && gang.interruptible()) {
            broken.add(never(
                    "It is interruptible, and queue " + path.get(0).name()
                            + " is for serving, where nothing is preempted.",
                    "Remove the label muster.dev/interruptible, or submit it to a queue for training."));
        }
        for (Queue queue : path) {
            limits(gang, gang.gpus(gpuResources), queue, broken);
        }
        path.stream()
                .filter(queue -> queue.unspecific() == Queue.Unspecific.REFUSE && isUnspecific(gang))
                .findFirst()
                .ifPresent(queue -> broken.add(never(
                        "It asks for " + gang.gpus(gpuResources) + " GPUs and does not say which; queue " + queue.name()
                                + " takes no such gangs.",
                        "Set muster.dev/node-classes or muster.dev/requires.")));
        return broken;
    }

    /** Whether it asks for GPUs and names neither a class nor a requirement. */
    public boolean isUnspecific(Gang gang) {
        return gang.nodeClasses().isEmpty() && gang.requirements().isEmpty() && gang.gpus(gpuResources) > 0;
    }

    private static void limits(Gang gang, long gpus, Queue queue, List<Waiting> broken) {
        queue.limits().maxGangGpus().ifPresent(most -> {
            if (gpus > most) {
                broken.add(never(
                        "It asks for " + gpus + " GPUs; queue " + queue.name() + " takes gangs of at most " + most
                                + ".",
                        "Make the gang smaller, or ask the queue's owner, " + queue.owner()
                                + ", to raise limits.maxGangGpus."));
            }
        });
        queue.limits().maxPriority().ifPresent(most -> {
            if (gang.priority() > most) {
                broken.add(never(
                        "It has priority " + gang.priority() + "; queue " + queue.name() + " takes gangs of at most "
                                + most + ".",
                        "Name a lower PriorityClass, or ask the queue's owner, " + queue.owner()
                                + ", to raise limits.maxPriority."));
            }
        });
        queue.limits()
                .maxRuntime()
                .ifPresent(most -> gang.maxRuntime().ifPresent(asked -> {
                    if (asked > most) {
                        broken.add(never(
                                "It may run for " + span(asked) + "; queue " + queue.name() + " takes gangs of at most "
                                        + span(most) + ".",
                                "Set a shorter muster.dev/max-runtime, or ask the queue's owner, " + queue.owner()
                                        + ", to raise limits.maxRuntime."));
                    }
                }));
    }

    private static Waiting never(String sentence, String help) {
        return new Waiting(Reason.NEVER_RUNNABLE, sentence, help);
    }

    /** A length of time in milliseconds as users write it, such as {@code 1d12h}; rounded up to whole seconds. */
    public static String span(long millis) {
        long left = (millis + SECOND - 1) / SECOND * SECOND;
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Long> unit :
                List.of(Map.entry("d", DAY), Map.entry("h", HOUR), Map.entry("m", MINUTE), Map.entry("s", SECOND))) {
            long count = left / unit.getValue();
            if (count > 0) {
                text.append(count).append(unit.getKey());
                left -= count * unit.getValue();
            }
        }
        return text.length() == 0 ? "0s" : text.toString();
    }
}
