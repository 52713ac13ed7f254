package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.FakeNode;
import dev.muster.cluster.OnControlPlane;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Muster costs the API server and the machine, by the API server's own count. */
@OnControlPlane
class WritesIT {
    private static final Logger LOG = LoggerFactory.getLogger(WritesIT.class);
    /** How many; {@code -Dmuster.test.jobs=1000} for the figures of the closing note, fewer so that the suite stays short. */
    private static final int JOBS = Integer.getInteger("muster.test.jobs", 100);

    private static final Pattern PATCHES = Pattern.compile(
            "(?m)^apiserver_request_total\\{[^}]*dry_run=\"\"[^}]*resource=\"jobs\"[^}]*subresource=\"\"[^}]*verb=\"PATCH\"[^}]*\\} (\\d+)$");

    private final ControlPlane plane;

    WritesIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void manyJobs_AreAdmittedByOnePatchEach() throws InterruptedException {
        try (Site site = Site.installed(plane, "thousand")) {
            // given room for all of them
            for (int i = 0; i < 10; i++) {
                plane.nodes(FakeNode.h100(plane.unique("n"))
                        .labelled("test.muster.dev/class", site.nodeClass())
                        .offering("nvidia.com/gpu", "100"));
            }
            String queue = site.queue("team", JOBS);
            String ns = plane.newNamespace("thousand");
            site.start();
            long patchesBefore = patches();
            Duration cpuBefore = site.muster().cpuTime();
            // when
            long began = System.nanoTime();
            ExecutorService submitters = Executors.newFixedThreadPool(4);
            for (int i = 0; i < JOBS; i++) {
                int number = i;
                submitters.execute(() -> plane.admin()
                        .load(new ByteArrayInputStream(Gang.of(ns, "j" + number, queue, 1, 1)
                                .running("1s")
                                .yaml()
                                .getBytes(StandardCharsets.UTF_8)))
                        .create());
            }
            submitters.shutdown();
            assertThat(submitters.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
            long submitted = System.nanoTime();
            Await.until(
                    "all are admitted",
                    Duration.ofSeconds(180),
                    () -> site.muster()
                            .metrics()
                            .getOrDefault("muster_writes_total{kind=\"admit\",outcome=\"done\"}", 0.0),
                    count -> count == JOBS);
            long admitted = System.nanoTime();
            Await.until(
                    "all are marked finished",
                    Duration.ofSeconds(240),
                    () -> plane.admin()
                            .batch()
                            .v1()
                            .jobs()
                            .inNamespace(ns)
                            .withLabel("muster.dev/state", "finished")
                            .list()
                            .getItems()
                            .size(),
                    count -> count == JOBS);
            long finished = System.nanoTime();
            // then
            Map<String, Double> metrics = site.muster().metrics();
            double sent = onJobs(metrics);
            long patches = patches() - patchesBefore;
            LOG.info(
                    "{} jobs: submitted in {} s, admitted after {} s, finished after {} s; {} PATCHes of jobs at the API server;"
                            + " Muster's CPU {} s, RSS {} MiB; {}",
                    JOBS,
                    seconds(began, submitted),
                    seconds(began, admitted),
                    seconds(began, finished),
                    patches,
                    site.muster().cpuTime().minus(cpuBefore).toMillis() / 1000.0,
                    rssMib(site.muster().pid()),
                    writes(metrics));
            assertThat(patches)
                    .as("what the API server counted is what Muster counted")
                    .isEqualTo((long) sent);
            assertThat(refusedAdmissions(metrics))
                    .as("admissions that had to be sent again")
                    .isLessThan(JOBS * 0.1);
            assertThat(patches).as("admission, running, finished").isLessThan((long) (3.3 * JOBS));
        }
    }

    private long patches() {
        Matcher matcher = PATCHES.matcher(plane.admin().raw("/metrics"));
        long sum = 0;
        while (matcher.find()) {
            sum += Long.parseLong(matcher.group(1));
        }
        return sum;
    }

    private static double onJobs(Map<String, Double> metrics) {
        return metrics.entrySet().stream()
                .filter(
                        e -> e.getKey()
                                .matches(
                                        "muster_writes_total\\{kind=\"(admit|stop|release|mark|explain|claim|drop-claim|notice)\".*"))
                .filter(e -> !e.getKey().contains("\"unsent\""))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static double refusedAdmissions(Map<String, Double> metrics) {
        return metrics.entrySet().stream()
                .filter(e -> e.getKey().startsWith("muster_writes_total{kind=\"admit\"")
                        && !e.getKey().contains("\"done\""))
                .filter(e -> !e.getKey().contains("\"unsent\""))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static Map<String, Double> writes(Map<String, Double> metrics) {
        return metrics.entrySet().stream()
                .filter(e -> e.getKey().startsWith("muster_writes_total"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static double seconds(long from, long to) {
        return TimeUnit.NANOSECONDS.toMillis(to - from) / 1000.0;
    }

    private static long rssMib(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException("the memory of process " + pid + " cannot be read", e);
        }
    }
}
