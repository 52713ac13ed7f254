package dev.muster.webhook;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodAffinity;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a submitter is told of a job that is in order but may not do what was meant. */
final class JobAdvice {
    private JobAdvice() {}

    static void of(Job job, List<String> warnings) {
        if (job.getSpec() == null
                || job.getSpec().getTemplate() == null
                || job.getSpec().getTemplate().getSpec() == null) {
            return;
        }
        Integer backoffLimit = job.getSpec().getBackoffLimit();
        if (backoffLimit != null && backoffLimit == 0) {
            warnings.add(
                    "spec.backoffLimit is 0: one pod that fails, also by a fault of its node, ends the job for good."
                            + " Maybe set it to 3");
        }
        PodSpec pod = job.getSpec().getTemplate().getSpec();
        if (hasPodTerms(pod.getAffinity())) {
            warnings.add("the required podAffinity and podAntiAffinity of the template are not looked at when nodes are"
                    + " chosen, so admitted pods may stay pending. Maybe use muster.dev/topology");
        }
        if (pod.getTopologySpreadConstraints() != null
                && pod.getTopologySpreadConstraints().stream()
                        .anyMatch(c -> c != null && !"ScheduleAnyway".equals(c.getWhenUnsatisfiable()))) {
            warnings.add(
                    "topologySpreadConstraints with DoNotSchedule are not looked at when nodes are chosen, so admitted"
                            + " pods may stay pending. Maybe use muster.dev/topology");
        }
    }

    private static boolean hasPodTerms(@Nullable Affinity affinity) {
        if (affinity == null) {
            return false;
        }
        PodAffinity near = affinity.getPodAffinity();
        PodAntiAffinity apart = affinity.getPodAntiAffinity();
        return near != null && isAny(near.getRequiredDuringSchedulingIgnoredDuringExecution())
                || apart != null && isAny(apart.getRequiredDuringSchedulingIgnoredDuringExecution());
    }

    private static boolean isAny(@Nullable List<PodAffinityTerm> terms) {
        return terms != null && !terms.isEmpty();
    }
}
