package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.core.model.GangReading;
import dev.muster.jobs.DescribedJobs;
import dev.muster.jobs.Problems;
import dev.muster.kinds.FieldRule;
import dev.muster.kinds.GangKind;
import dev.muster.kinds.KindDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Judges objects of kinds beside the batch Job that name a queue, as {@link ValidateJob} judges jobs. Of one that is no gang
 * but makes some, its kind's rules alone are asked.
 */
public final class ValidateKind {
    private ValidateKind() {}

    /** Decides about a request on objects of some kind. */
    public static Verdict on(JsonNode request, DoorFacts facts) {
        Asked asked = new Asked(request);
        JsonNode resource = request.path("resource");
        Optional<KindDescriptor> kind = facts.kinds()
                .of(
                        resource.path("group").asText(),
                        resource.path("version").asText(),
                        resource.path("resource").asText());
        boolean ours = Asked.isSubmitted(asked.object()) || Asked.isManaged(asked.object());
        if (kind.isEmpty()
                || !ours
                || asked.isLeaving()
                || asked.user().equals(Asked.MUSTER)
                || !(asked.creates() || asked.updates())
                || asked.updates() && isSame(asked.object(), asked.old())) {
            return Verdict.ALLOWED;
        }
        List<String> warnings = new ArrayList<>();
        List<String> problems = judge(kind.get(), asked.object(), asked.creates(), facts, warnings);
        if (problems.isEmpty()) {
            return Verdict.warned(warnings);
        }
        if (asked.creates()) {
            return Verdict.refused(problems);
        }
        Set<String> before = Set.copyOf(judge(kind.get(), asked.old(), false, facts, new ArrayList<>()));
        List<String> worse =
                problems.stream().filter(problem -> !before.contains(problem)).toList();
        return worse.isEmpty() ? Verdict.warned(problems) : Verdict.refused(worse);
    }

    private static List<String> judge(
            KindDescriptor kind, JsonNode object, boolean isNew, DoorFacts facts, List<String> warnings) {
        Problems problems = new Problems();
        if (!object.path("metadata").isObject()) {
            problems.add("the request carries no " + kind.name().kind() + " with metadata");
            return problems.all();
        }
        if (kind instanceof GangKind gang) {
            GangReading reading = new DescribedJobs(gang).read(object, facts.surroundings());
            if (reading instanceof GangReading.Unreadable unreadable) {
                unreadable.problems().forEach(problems::add);
            } else if (reading instanceof GangReading.Readable readable && facts.isComplete()) {
                new QueueCheck(facts, readable.gang(), problems, warnings).run(isNew);
            } else if (isNew) {
                warnings.add("stored suspended; Muster has not seen the whole cluster yet and judges the job later");
            }
        } else {
            said(kind.refusals(), object).forEach(problems::add);
        }
        warnings.addAll(said(kind.warnings(), object));
        return problems.all();
    }

    private static List<String> said(List<FieldRule> rules, JsonNode object) {
        return rules.stream()
                .filter(rule -> rule.test().holds(object))
                .map(rule -> rule.test().field() + " is "
                        + Problems.quote(rule.test().value(object)) + ": " + rule.because()
                        + (rule.cure().isEmpty() ? "" : ". Maybe " + rule.cure()))
                .toList();
    }

    /** Whether nothing changed that a user writes. */
    private static boolean isSame(JsonNode object, JsonNode old) {
        return object.path("spec").equals(old.path("spec"))
                && object.at("/metadata/labels").equals(old.at("/metadata/labels"))
                && object.at("/metadata/annotations").equals(old.at("/metadata/annotations"));
    }
}
