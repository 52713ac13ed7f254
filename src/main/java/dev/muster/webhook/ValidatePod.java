package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.Marks;
import dev.muster.core.model.GangReading;
import dev.muster.jobs.GroupedPods;
import dev.muster.jobs.PlainPods;
import dev.muster.jobs.Problems;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Judges a new pod that names a queue itself, as {@link ValidateJob} judges jobs. What a controller asks for is refused to the
 * controller, which says so in an Event of its own. Gates of others are no fault here: they may go in time.
 */
public final class ValidatePod {
    private ValidatePod() {}

    /** Decides about the creation of a pod. */
    public static Verdict on(JsonNode request, DoorFacts facts) {
        Asked asked = new Asked(request);
        if (!asked.creates() || !Asked.isPodGang(asked.object())) {
            return Verdict.ALLOWED;
        }
        Problems problems = new Problems();
        List<String> warnings = new ArrayList<>();
        Optional<Pod> pod = Asked.as(Pod.class, asked.object(), problems);
        if (pod.isPresent() && pod.get().getSpec() != null) {
            GangReading reading = new PlainPods().read(atOurGate(pod.get()), facts.surroundings());
            GroupedPods.check(pod.get(), problems);
            if (reading instanceof GangReading.Unreadable unreadable) {
                unreadable.problems().forEach(problems::add);
            } else if (reading instanceof GangReading.Readable readable && facts.isComplete()) {
                new QueueCheck(facts, readable.gang(), problems, warnings).run(true);
            }
        }
        // a pod has no switch: what holds it is its gate
        List<String> said = warnings.stream()
                .map(warning -> warning.replace("stored suspended", "stored gated"))
                .toList();
        return problems.isEmpty() ? Verdict.warned(said) : Verdict.refused(problems.all());
    }

    private static Pod atOurGate(Pod pod) {
        return new PodBuilder(pod)
                .editSpec()
                .withSchedulingGates(new PodSchedulingGate(Marks.GATE))
                .endSpec()
                .build();
    }
}
