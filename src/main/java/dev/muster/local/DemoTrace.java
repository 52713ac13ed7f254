package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.files.Manifest;
import dev.muster.files.Reading;
import dev.muster.local.rules.JobRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A trace of real jobs that is submitted to a local cluster as time goes by, from a point of the trace on: what ran at that
 * point comes at once, with the time that it still had to run. At its end it begins anew, under other names.
 *
 * <p>What a trace does not record is made up from the job's id, so that each run is the same: which team, whether
 * interruptible, which node classes, and the bound of the run time.
 */
public final class DemoTrace {
    private static final Set<String> VISION = Set.of("ee9e8c", "2869ce", "103959");
    private static final int NODE_GPUS = 8;
    private static final int KEEP_SECONDS = 1800;
    private static final long HOUR = 3_600_000;

    /** One job of the trace; times in milliseconds from the trace's begin. */
    record TraceJob(int id, long submit, String tenant, int gpus, long duration) {}

    private final List<TraceJob> jobs;
    private final long length;
    private long origin;
    private int round;
    private int next;

    private DemoTrace(List<TraceJob> jobs, long origin) {
        this.jobs = jobs;
        this.origin = origin;
        this.length = jobs.isEmpty() ? 0 : jobs.get(jobs.size() - 1).submit() + HOUR;
    }

    /**
     * A trace that is at the given point now.
     *
     * @param csv lines of id, submit_s, tenant, gpus, duration_s, under a headline
     * @param from the point to begin at, milliseconds from the trace's begin
     * @param now virtual milliseconds since the epoch
     * @throws IllegalArgumentException if a line has another form; the message has its number
     */
    public static DemoTrace read(String csv, long from, long now) {
        List<TraceJob> jobs = new ArrayList<>();
        List<String> lines = csv.lines().toList();
        for (int i = 1; i < lines.size(); i++) {
            TraceJob job = line(lines.get(i), i + 1);
            long end = job.submit() + job.duration();
            if (job.submit() >= from) {
                jobs.add(new TraceJob(job.id(), job.submit() - from, job.tenant(), job.gpus(), job.duration()));
            } else if (end > from) {
                jobs.add(new TraceJob(job.id(), 0, job.tenant(), job.gpus(), end - from));
            }
        }
        jobs.sort(Comparator.comparingLong(TraceJob::submit).thenComparingInt(TraceJob::id));
        return new DemoTrace(jobs, now);
    }

    private static TraceJob line(String text, int number) {
        String[] cells = text.split(",", -1);
        try {
            return new TraceJob(
                    Integer.parseInt(cells[0]),
                    Long.parseLong(cells[1]) * 1000,
                    cells[2],
                    Integer.parseInt(cells[3]),
                    Long.parseLong(cells[4]) * 1000);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    "line " + number + " of the trace is '" + text
                            + "'. Maybe it needs id,submit_s,tenant,gpus,duration_s",
                    e);
        }
    }

    /** The jobs that have come since the last call, as manifests. */
    public Reading until(long now) {
        List<Manifest> due = new ArrayList<>();
        while (!jobs.isEmpty() && jobs.get(next).submit() + origin <= now) {
            due.add(manifest(jobs.get(next)));
            next++;
            if (next == jobs.size()) {
                next = 0;
                round++;
                origin += length;
            }
        }
        return new Reading(due, List.of());
    }

    private Manifest manifest(TraceJob job) {
        String team = VISION.contains(job.tenant()) ? "vision" : "nlp";
        String name = "philly-" + job.id() + (round == 0 ? "" : "-" + round);
        int pods = Math.max(1, job.gpus() / NODE_GPUS);
        int gpus = job.gpus() / pods;
        ObjectNode tree = Models.JSON.createObjectNode();
        tree.put("apiVersion", "batch/v1").put("kind", JobController.KIND);
        ObjectNode metadata = tree.putObject("metadata").put("name", name).put("namespace", team);
        ObjectNode labels = metadata.putObject("labels").put(Marks.QUEUE, team);
        if (job.id() % 4 == 0) {
            labels.put(Marks.INTERRUPTIBLE, "true");
        }
        metadata.putObject("annotations")
                .put(Marks.NODE_CLASSES, pods == 1 && job.id() % 8 == 3 ? "a100" : "h100, a100")
                .put(Marks.MAX_RUNTIME, 1 + job.duration() * (1 + job.id() % 5) / HOUR + "h");
        ObjectNode spec = tree.putObject("spec")
                .put("completionMode", "Indexed")
                .put("completions", pods)
                .put("parallelism", pods)
                .put("backoffLimit", 3)
                .put("ttlSecondsAfterFinished", KEEP_SECONDS);
        ObjectNode template = spec.putObject("template");
        template.putObject("metadata")
                .putObject("annotations")
                .put(JobRules.RUN_FOR, Math.max(1, job.duration() / 1000) + "s");
        ObjectNode container = template.putObject("spec")
                .put("restartPolicy", "Never")
                .putArray("containers")
                .addObject()
                .put("name", "main")
                .put("image", "registry.example.com/" + team + "/train:1.0");
        ObjectNode resources = container.putObject("resources");
        resources.putObject("requests").put("cpu", Integer.toString(8 * gpus)).put("memory", 64 * gpus + "Gi");
        resources.putObject("limits").put("nvidia.com/gpu", Integer.toString(gpus));
        return new Manifest("trace", job.id() + 2, "batch/v1", JobController.KIND, team, name, tree, List.of());
    }
}
