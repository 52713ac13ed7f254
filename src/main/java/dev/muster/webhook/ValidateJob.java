package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangReading;
import dev.muster.jobs.GangReader;
import dev.muster.jobs.Problems;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Judges a job that names a queue: refuses what can never run, in words that say field, value and cure, all at once; tells
 * the submitter what happened otherwise. What may come right later (a queue that does not exist yet) is no refusal. An
 * update is refused only for what it makes worse.
 */
public final class ValidateJob {
    private ValidateJob() {}

    /** Decides about a request on jobs. */
    public static Verdict on(JsonNode request, DoorFacts facts) {
        Asked asked = new Asked(request);
        boolean ours = Asked.isSubmitted(asked.object()) || Asked.isManaged(asked.object());
        if (!ours || asked.isLeaving() || asked.user().equals(Asked.MUSTER) || !(asked.creates() || asked.updates())) {
            return Verdict.ALLOWED;
        }
        if (asked.updates() && isSame(asked.object(), asked.old())) {
            return Verdict.ALLOWED;
        }
        Findings now = judge(asked.object(), asked.creates(), facts);
        if (now.problems().isEmpty()) {
            return Verdict.warned(now.warnings());
        }
        if (asked.creates()) {
            return Verdict.refused(now.problems());
        }
        Set<String> before = Set.copyOf(judge(asked.old(), false, facts).problems());
        List<String> worse = now.problems().stream()
                .filter(problem -> !before.contains(problem))
                .toList();
        return worse.isEmpty() ? Verdict.warned(now.problems()) : Verdict.refused(worse);
    }

    /** What is wrong, and what is worth saying. */
    private record Findings(List<String> problems, List<String> warnings) {}

    private static Findings judge(JsonNode tree, boolean isNew, DoorFacts facts) {
        Problems unread = new Problems();
        Optional<Job> job = Asked.as(Job.class, tree, unread);
        if (job.isEmpty()) {
            return new Findings(unread.all(), List.of());
        }
        Problems problems = new Problems();
        List<String> warnings = new ArrayList<>();
        GangReading reading = GangReader.read(job.get(), facts.surroundings());
        if (reading instanceof GangReading.Unreadable unreadable) {
            unreadable.problems().forEach(problems::add);
        }
        ForeignMarks.check(job.get(), problems, warnings);
        if (reading instanceof GangReading.Readable readable && facts.isComplete()) {
            Gang gang = readable.gang();
            new QueueCheck(facts, gang, problems, warnings).run(isNew);
        } else if (isNew && !facts.isComplete()) {
            warnings.add("stored suspended; Muster has not seen the whole cluster yet and judges the job later");
        }
        JobAdvice.of(job.get(), warnings);
        return new Findings(problems.all(), warnings);
    }

    /** Whether nothing changed that a user writes. */
    private static boolean isSame(JsonNode object, JsonNode old) {
        return object.path("spec").equals(old.path("spec"))
                && object.at("/metadata/labels").equals(old.at("/metadata/labels"))
                && object.at("/metadata/annotations").equals(old.at("/metadata/annotations"));
    }
}
