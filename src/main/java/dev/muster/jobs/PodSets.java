package dev.muster.jobs;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** Reads pod templates as podsets, of whatever kind of job; what goes around the queue is noted. */
final class PodSets {
    private PodSets() {}

    static PodSet read(
            Template template, JobMarks marks, String namespace, Surroundings surroundings, Problems problems) {
        PodSpec pod = template.pod();
        String at = template.at() + ".spec";
        forbidden(pod, at, problems);
        String runtime = pod.getRuntimeClassName();
        Map<String, Quantity> overhead = runtime == null ? Map.of() : surroundings.overhead(runtime);
        Amounts plain = PodRequests.read(pod, surroundings.limitRanges(namespace), overhead, at, problems);
        DeviceClaims.Asked asked = DeviceClaims.add(plain, pod, at, namespace, surroundings, problems);
        marks.only(asked.nodeClasses());
        Amounts requests = asked.requests();
        PodShape shape =
                new PodShape(requests, PodShapes.terms(pod, at, problems), PodShapes.tolerations(pod.getTolerations()));
        total(requests, template.count(), problems);
        return new PodSet(
                template.podset(),
                template.count(),
                template.count(),
                shape,
                template.ranked(),
                marks.topology(template));
    }

    private static void forbidden(PodSpec pod, String at, Problems problems) {
        if (pod.getNodeName() != null && !pod.getNodeName().isEmpty()) {
            problems.add(
                    at + ".nodeName",
                    pod.getNodeName(),
                    "it goes past the scheduler and the queue",
                    "use a nodeSelector");
        }
        String scheduler = pod.getSchedulerName();
        if (scheduler != null && !scheduler.isEmpty() && !scheduler.equals("default-scheduler")) {
            problems.add(at + ".schedulerName", scheduler, "Muster places for default-scheduler only", "remove it");
        }
    }

    private static void total(Amounts requests, int count, Problems problems) {
        requests.byResource().forEach((resource, one) -> {
            if (one <= Quantities.LARGEST_STATED && one > Quantities.LARGEST_STATED / count) {
                problems.add("all " + count + " members together ask " + one + " times " + count + " of " + resource
                        + ": that is more than can be counted, which ends at 10^15. Maybe a unit is wrong");
            }
        });
    }
}
