package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.engine.Event.Refusal;
import dev.muster.jobs.BatchJobs;
import dev.muster.kinds.KindName;
import dev.muster.kube.Handover.End;
import dev.muster.kube.Handover.Outcome;
import dev.muster.kube.LeaseTable.Fence;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wait of a new leader, on a clock that only probes (1 s each) and pauses (100 ms each) move. */
class HandoverTest {
    private static final Fence BEFORE = new Fence("lease", 3);
    private static final long SECOND = 1_000_000_000L;

    private long now = Long.MAX_VALUE - 7;
    private boolean closing;

    /** An API server that answers each probe with the next answer, and the last one for ever. */
    private final class Server implements Calls {
        private final List<String> answers;
        private final List<String> asked = new ArrayList<>();

        Server(String... answers) {
            this.answers = new ArrayList<>(List.of(answers));
        }

        @Override
        public boolean wouldAccept(KindName kind, String namespace, String name, String fence) throws WriteFailed {
            now += SECOND;
            asked.add(namespace + "/" + name + " " + fence);
            String answer = answers.size() > 1 ? answers.remove(0) : answers.get(0);
            if (answer.equals("yes") || answer.equals("no")) {
                return answer.equals("yes");
            }
            throw new WriteFailed(Refusal.valueOf(answer), "because " + answer, null);
        }

        @Override
        public HasMetadata patchJob(KindName kind, String namespace, String name, String mergePatch) {
            throw new UnsupportedOperationException("a probe writes nothing");
        }

        @Override
        public Optional<HasMetadata> job(KindName kind, String namespace, String name) {
            throw new UnsupportedOperationException("a probe reads nothing");
        }

        @Override
        public Optional<Pod> pod(String namespace, String name) {
            throw new UnsupportedOperationException("a probe reads nothing");
        }

        @Override
        public Pod patchPod(String namespace, String name, String jsonPatch) {
            throw new UnsupportedOperationException("a probe writes nothing");
        }

        @Override
        public void deletePod(String namespace, String name, String resourceVersion) {
            throw new UnsupportedOperationException("a probe writes nothing");
        }

        @Override
        public void event(HasMetadata regarding, Note note) {
            throw new UnsupportedOperationException("a probe tells nobody");
        }
    }

    private Outcome await(Server server, int jobs) {
        List<Job> all = new ArrayList<>();
        for (int i = 1; i <= jobs; i++) {
            all.add(new JobBuilder()
                    .withNewMetadata()
                    .withNamespace("ns")
                    .withName("j" + i)
                    .endMetadata()
                    .build());
        }
        Handover handover = new Handover(server, Duration.ofSeconds(5), () -> now, () -> {
            now += SECOND / 10;
            return closing;
        });
        return handover.await(
                all.stream().map(job -> new SeenJob(new BatchJobs(), job)).toList(), BEFORE);
    }

    /** One row: with so many jobs and these answers the wait ends like this after so many probes. */
    record Row(String sentence, int jobs, List<String> answers, End end, int probes) {
        @Override
        public String toString() {
            return sentence;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                new Row("without jobs nothing is asked", 0, List.of("yes"), End.NO_JOB, 0),
                new Row("it ends with the first refusal", 2, List.of("yes", "yes", "no"), End.REFUSED, 3),
                new Row(
                        "a fence that is never refused is asked for until the bound",
                        1,
                        List.of("yes"),
                        End.ACCEPTED,
                        5),
                new Row(
                        "a job that is gone tells nothing, the next one does",
                        3,
                        List.of("GONE", "no"),
                        End.REFUSED,
                        2),
                new Row("when all jobs are gone no late write can hit one", 3, List.of("GONE"), End.NO_JOB, 3),
                new Row("many jobs that are gone do not go beyond the bound", 50, List.of("GONE"), End.NO_JOB, 5),
                new Row("no answer is asked for again", 1, List.of("UNKNOWN", "STALE", "no"), End.REFUSED, 3),
                new Row("no answer at all is waited for until the bound", 50, List.of("UNKNOWN"), End.UNANSWERED, 5),
                new Row(
                        "a job whose writes are refused otherwise is left for another",
                        2,
                        List.of("REFUSED", "no"),
                        End.REFUSED,
                        2),
                new Row(
                        "jobs whose writes are all refused otherwise tell nothing",
                        2,
                        List.of("REFUSED"),
                        End.UNANSWERED,
                        2));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void endsAsTheTableSays(Row row) {
        // given
        Server server = new Server(row.answers().toArray(String[]::new));
        // when
        Outcome outcome = await(server, row.jobs());
        // then
        assertThat(outcome.end()).isEqualTo(row.end());
        assertThat(server.asked)
                .hasSize(row.probes())
                .allSatisfy(asked -> assertThat(asked).endsWith(" lease/3"));
        assertThat(outcome.warns()).isEqualTo(row.end() == End.ACCEPTED || row.end() == End.UNANSWERED);
    }

    @Test
    void anErrorIsSaidWithTheJobAndALikelyCause() {
        assertThat(await(new Server("UNKNOWN"), 1))
                .isEqualTo(new Outcome(
                        End.UNANSWERED,
                        "a dry run on job ns/j1 gave no answer: because UNKNOWN. Maybe the API server is overloaded,"
                                + " or another policy refuses Muster's writes"));
    }

    @Test
    void closingEndsTheWaitAtOnce() {
        closing = true;
        Server server = new Server("yes");

        assertThat(await(server, 1).end()).isEqualTo(End.ACCEPTED);
        assertThat(server.asked).hasSize(1);
    }
}
