package dev.muster.sim;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of a replay.
 *
 * @param runs one for each job that started, in the order of the ends
 * @param unstarted jobs that never started
 * @param busy percent of all GPU time up to the last submission that was charged
 * @param preemptions stops by preemption
 * @param lostGpuSeconds work that stops have thrown away
 * @param overshoots how often a node, or all quota together, was used beyond what it has; must be 0
 * @param cycles how often the engine was asked for a decision
 */
public record Measured(
        List<Run> runs, int unstarted, long busy, int preemptions, long lostGpuSeconds, int overshoots, long cycles) {
    public Measured {
        runs = List.copyOf(runs);
    }

    /** One job: its first start and its end, in milliseconds since the trace began. */
    public record Run(TraceJob job, long startedAt, long endedAt) {
        /** From submission to first start, in seconds. */
        public long waited() {
            return (startedAt - job.submitAt()) / 1_000;
        }
    }

    /** Average seconds from submission to first start. */
    public long averageWait() {
        return averageWait(0);
    }

    /** The same of the jobs with more GPUs than {@code gpus}; 0 when there are none. */
    public long averageWait(int gpus) {
        return Math.round(runs.stream()
                .filter(run -> run.job().gpus() > gpus)
                .mapToLong(Run::waited)
                .average()
                .orElse(0));
    }

    /** Average seconds from submission to first start, by queue. */
    public Map<String, Long> averageWaitByQueue() {
        Map<String, long[]> sums = new TreeMap<>();
        for (Run run : runs) {
            long[] sum = sums.computeIfAbsent(run.job().queue(), queue -> new long[2]);
            sum[0] += run.waited();
            sum[1]++;
        }
        Map<String, Long> averages = new TreeMap<>();
        sums.forEach((queue, sum) -> averages.put(queue, sum[0] / sum[1]));
        return averages;
    }

    @Override
    public String toString() {
        return "average wait " + averageWait() + " s, of gangs over 8 GPUs " + averageWait(8) + " s, " + runs.size()
                + " started, " + unstarted + " not, " + busy + " % busy, " + preemptions + " preemptions, "
                + lostGpuSeconds / 3_600 + " GPU-hours lost, " + overshoots + " overshoots, " + cycles + " cycles";
    }
}
