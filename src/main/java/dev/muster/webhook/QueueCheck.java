package dev.muster.webhook;

import dev.muster.api.Marks;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.core.model.QueueTerms;
import dev.muster.core.model.Waiting;
import dev.muster.jobs.Problems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges a gang by its queue and the fleet, as they are declared now. */
final class QueueCheck {
    private final DoorFacts facts;
    private final Gang gang;
    private final Problems problems;
    private final List<String> warnings;

    QueueCheck(DoorFacts facts, Gang gang, Problems problems, List<String> warnings) {
        this.facts = facts;
        this.gang = gang;
        this.problems = problems;
        this.warnings = warnings;
    }

    /** Notes everything; {@code isNew} adds what happened to the job. */
    void run(boolean isNew) {
        unknownClasses();
        Optional<Queue> queue = facts.queue(gang.queue());
        if (queue.isEmpty()) {
            warnings.add("stored suspended: there is no TeamQueue '" + gang.queue()
                    + "' yet, and the job waits for it. Maybe see kubectl get teamqueues");
            return;
        }
        int before = problems.all().size();
        namespace(queue.get());
        terms(path(queue.get()));
        DoorFacts.Outlook outlook = facts.outlook(gang);
        Waiting never = outlook.never();
        if (never != null && problems.all().size() == before) {
            problems.add(sentence(never.sentence(), never.help()));
        }
        if (isNew) {
            warnings.add(0, happened(outlook));
        }
    }

    private String happened(DoorFacts.Outlook outlook) {
        int gangs = outlook.ahead();
        String ahead = gangs < 0
                ? "how many gangs are ahead is not known yet"
                : gangs == 0 ? "no gang is ahead" : gangs == 1 ? "1 gang is ahead" : gangs + " gangs are ahead";
        Waiting waiting = outlook.waiting();
        return "stored suspended in queue '" + gang.queue() + "'; " + ahead
                + (waiting == null ? "" : "; " + waiting.reason().wireName() + ": " + waiting.sentence());
    }

    /** A sentence with its help behind it, and one full stop between them. */
    private static String sentence(String what, String help) {
        return help.isEmpty() ? what : (what.endsWith(".") ? what : what + ".") + " " + help;
    }

    private void namespace(Queue queue) {
        if (!queue.namespaces().isEmpty() && !queue.namespaces().contains(gang.namespace())) {
            problems.add(
                    "metadata.labels[" + Marks.QUEUE + "]",
                    queue.name(),
                    "that queue takes no jobs from namespace '" + gang.namespace() + "'",
                    "ask its owner " + Problems.quote(queue.owner()));
        }
    }

    private void terms(List<Queue> path) {
        Set<String> gpuResources =
                facts.nodeClasses().stream().map(NodeClass::resource).collect(Collectors.toSet());
        QueueTerms terms = new QueueTerms(path, gpuResources);
        terms.broken(gang).stream()
                .map(broken -> sentence(broken.sentence(), broken.help()))
                .forEach(broken -> problems.add(broken.substring(0, broken.length() - 1))); // they are joined by "; "
        if (terms.isUnspecific(gang)
                && path.get(0).unspecific() == Queue.Unspecific.WARN
                && path.stream().noneMatch(queue -> queue.unspecific() == Queue.Unspecific.REFUSE)) {
            warnings.add("the job asks for GPUs and does not say which, so any class may be given. Maybe set "
                    + Marks.NODE_CLASSES + " or " + Marks.REQUIRES);
        }
    }

    /** The queue and those above it, as far as they exist. */
    private List<Queue> path(Queue queue) {
        Map<String, Queue> path = new LinkedHashMap<>();
        Optional<Queue> next = Optional.of(queue);
        while (next.isPresent() && path.putIfAbsent(next.get().name(), next.get()) == null) {
            String parent = next.get().parent();
            next = parent == null ? Optional.empty() : facts.queue(parent);
        }
        return List.copyOf(path.values());
    }

    private void unknownClasses() {
        Set<String> known = facts.nodeClasses().stream().map(NodeClass::name).collect(Collectors.toSet());
        gang.nodeClasses().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> warnings.add(
                        "there is no GpuNodeClass '" + name + "' yet. Maybe see kubectl get gpunodeclasses"));
    }
}
