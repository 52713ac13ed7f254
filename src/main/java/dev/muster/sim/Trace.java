package dev.muster.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/** A list of jobs in the order of their submission, and what is made up about them where a recording is silent. */
public record Trace(List<TraceJob> jobs) {
    public Trace {
        jobs = List.copyOf(jobs);
    }

    /**
     * Reads lines of {@code id,submit_s,tenant,gpus,duration_s}, the first of them the header; each tenant is a queue.
     *
     * @throws IllegalArgumentException when a line cannot be read; the message has its number and text
     */
    public static Trace parse(List<String> lines) {
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            String[] fields = lines.get(i).split(",", -1);
            if (fields.length != 5) {
                throw new IllegalArgumentException("line " + (i + 1) + " has " + fields.length
                        + " fields instead of id,submit_s,tenant,gpus,duration_s: \"" + lines.get(i)
                        + "\". Maybe the file is of another format.");
            }
            jobs.add(new TraceJob(
                    "job-" + fields[0],
                    Long.parseLong(fields[1]) * 1_000,
                    fields[2],
                    Integer.parseInt(fields[3]),
                    Math.max(1, Long.parseLong(fields[4])) * 1_000,
                    OptionalLong.empty(),
                    false));
        }
        return new Trace(jobs);
    }

    /** All jobs in one queue. */
    public Trace inOneQueue(String queue) {
        return new Trace(jobs.stream().map(job -> job.in(queue)).toList());
    }

    /** Every job declares a bound of 1 to 5 times its run time, drawn evenly in thousandths. */
    public Trace withBounds(long seed) {
        Random random = new Random(seed);
        return new Trace(jobs.stream()
                .map(job -> job.bounded(Math.multiplyExact(job.duration(), 1_000 + random.nextInt(4_001)) / 1_000))
                .toList());
    }

    /** About so many percent of the jobs are interruptible, drawn for each; the others are firm. */
    public Trace withInterruptible(int percent, long seed) {
        Random random = new Random(seed);
        return new Trace(jobs.stream()
                .map(job -> job.interruptible(random.nextInt(100) < percent))
                .toList());
    }
}
