package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.GangReading;
import dev.muster.jobs.BatchJobs;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Runs of a CronJob that replace each other while they wait. */
class CronWaitsTest {
    private long now = at("12:00:00");
    private final CronWaits waits = new CronWaits(() -> now);

    @Test
    void aRunThatReplacesAWaitingOneGoesOnWaitingSinceTheFirst_UntilOneStarts() {
        Job first = run("r1", "12:00:00", true, "");
        assertThat(since(first)).isEqualTo(at("12:00:00"));
        now = at("13:00:00");
        waits.gone(first);
        Job second = run("r2", "13:00:00", true, "");
        assertThat(since(second)).isEqualTo(at("12:00:00"));
        assertThat(since(second)).as("seen again").isEqualTo(at("12:00:00"));
        now = at("14:00:00");
        waits.gone(second);
        Job third = run("r3", "14:00:00", true, "");
        assertThat(since(third)).isEqualTo(at("12:00:00"));
        // it starts, and is replaced while it runs
        assertThat(since(run("r3", "14:00:00", false, ""))).isEqualTo(at("12:00:00"));
        now = at("15:00:00");
        waits.gone(third);
        assertThat(since(run("r4", "15:00:00", true, ""))).isEqualTo(at("15:00:00"));
    }

    @Test
    void aRunBesideAWaitingOne_OrLongAfterOneWasDeleted_WaitsForItself() {
        Job first = run("r1", "12:00:00", true, "");
        since(first);
        assertThat(since(run("r2", "13:00:00", true, ""))).isEqualTo(at("13:00:00"));
        now = at("14:00:00");
        waits.gone(first);
        now = at("15:00:00");
        assertThat(since(run("r3", "15:00:00", true, ""))).isEqualTo(at("15:00:00"));
    }

    @Test
    void overARestartWhatIsStoredOfItsWaitingTellsSinceWhen() {
        String told = "{\"reason\":\"QuotaExhausted\",\"since\":\"2026-11-30T11:00:00Z\",\"sentence\":\"s\"}";

        assertThat(since(run("r1", "12:00:00", true, told))).isEqualTo(at("11:00:00"));
    }

    @Test
    void aJobThatNoCronJobMadeIsLeftAsItIs() {
        Job job = run("r1", "12:00:00", true, "");
        since(job);
        waits.gone(job);
        Job other = run("r2", "12:00:30", true, "");
        other.getMetadata().getOwnerReferences().get(0).setKind("Workflow");

        assertThat(since(other)).isEqualTo(at("12:00:30"));
    }

    private long since(Job job) {
        GangReading reading = new BatchJobs().read(job, new Around());
        return ((GangReading.Readable) waits.seen(job, reading)).gang().submittedAt();
    }

    private static long at(String time) {
        return Instant.parse("2026-11-30T" + time + "Z").toEpochMilli();
    }

    private static Job run(String uid, String created, boolean suspended, String told) {
        return Serialization.unmarshal(
                """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  uid: %s
                  namespace: ns
                  name: nightly-%s
                  creationTimestamp: "2026-11-30T%sZ"
                  labels: {muster.dev/queue: q, muster.dev/managed: "true"}
                  annotations: {%s}
                  ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: nightly, uid: c-1, controller: true}]
                spec: {suspend: %s, template: {spec: {containers: [{name: c, image: i}]}}}
                """.formatted(uid, uid, created, told.isEmpty() ? "" : "muster.dev/waiting: '" + told + "'", suspended),
                Job.class);
    }
}
