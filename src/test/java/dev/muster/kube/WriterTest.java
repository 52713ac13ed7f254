package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.Await;
import dev.muster.core.model.Admission;
import dev.muster.core.model.GangState;
import dev.muster.engine.Action;
import dev.muster.engine.Action.Target;
import dev.muster.engine.Event;
import dev.muster.engine.Event.Refusal;
import dev.muster.engine.Plan;
import dev.muster.kube.Writer.Moment;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WriterTest {
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(77), ZoneOffset.UTC);
    private static final Action MARK = new Action.Mark(new Target("u", "ns", "job", "5"), GangState.RUNNING);
    private static final Action ADMIT =
            new Action.Admit(new Target("u", "ns", "job", "5"), new Admission(1, 1, 1, List.of()), "admitted");

    private final Script script = new Script();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final List<String> metered = new CopyOnWriteArrayList<>();
    private final AtomicInteger replaced = new AtomicInteger();
    private final Parking parking = new Parking();
    private volatile Optional<String> fence = Optional.of("lease/1");
    private final Writer writer = new Writer(
            script,
            () -> fence,
            replaced::incrementAndGet,
            events::add,
            (kind, outcome, nanos) -> metered.add(kind + " " + outcome),
            CLOCK,
            () -> 0,
            parking,
            4);

    /** Answers as written down: a version, a refusal, or what a look finds. */
    private static final class Script implements Writer.Request {
        private final Queue<Object> answers = new ArrayDeque<>();
        private final Queue<Object> looks = new ArrayDeque<>();
        private volatile Moment moment = Moment.NOW;
        private final List<String> sent = new CopyOnWriteArrayList<>();

        @Override
        public Moment moment(Action action) {
            return moment;
        }

        @Override
        public synchronized String send(Action action, String under) throws WriteFailed {
            sent.add(under);
            Object answer = answers.remove();
            if (answer instanceof Refusal refusal) {
                throw new WriteFailed(refusal, "no", null);
            }
            return (String) answer;
        }

        @Override
        public synchronized boolean look(Action action) throws WriteFailed {
            Object answer = looks.remove();
            if (answer instanceof Refusal refusal) {
                throw new WriteFailed(refusal, "no", null);
            }
            return (Boolean) answer;
        }
    }

    @AfterEach
    void close() {
        writer.close();
    }

    private Event answerTo(Action action) {
        writer.carryOut(new Plan(List.of(action), false, Long.MAX_VALUE));
        Await.until("an answer", () -> !events.isEmpty());
        return events.get(0);
    }

    @Test
    void aWriteThatIsStored_IsDone_UnderTheFenceOfItsTime() {
        script.answers.add("6");
        assertThat(answerTo(MARK)).isEqualTo(new Event.WriteDone("u", "6"));
        assertThat(script.sent).containsExactly("lease/1");
        assertThat(metered).containsExactly("mark done");
    }

    @Test
    void aReplacedLeaderIsTold_AfterTheEvent() {
        script.answers.add(Refusal.REPLACED);
        assertThat(answerTo(MARK)).isEqualTo(new Event.WriteRefused("u", Refusal.REPLACED, "no", 77));
        Await.until("the lead is given up", () -> replaced.get() == 1);
    }

    @Test
    void whenNobodyKnows_TheObjectIsReadUntilThatWorks_AndOnlyThenTheAnswerCounts() {
        script.answers.add(Refusal.UNKNOWN);
        script.looks.addAll(List.of(Refusal.UNKNOWN, true));
        assertThat(answerTo(MARK)).isEqualTo(new Event.WriteRefused("u", Refusal.UNKNOWN, "no", 77));
        assertThat(script.looks).isEmpty();
    }

    @Test
    void whenNobodyKnows_AndTheObjectIsGone_ItIsGone() {
        script.answers.add(Refusal.UNKNOWN);
        script.looks.add(false);
        assertThat(answerTo(MARK)).isEqualTo(new Event.WriteRefused("u", Refusal.GONE, "no", 77));
    }

    @Test
    void withoutTheLead_NothingIsSent() {
        fence = Optional.empty();
        assertThat(answerTo(MARK))
                .isInstanceOfSatisfying(
                        Event.WriteRefused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.UNKNOWN));
        assertThat(script.sent).isEmpty();
        assertThat(metered).containsExactly("mark unsent");
    }

    @Test
    void anObjectThatHasChanged_IsNotWritten() {
        script.moment = Moment.NEVER;
        assertThat(answerTo(MARK))
                .isInstanceOfSatisfying(
                        Event.WriteRefused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.STALE));
        assertThat(script.sent).isEmpty();
    }

    @Test
    void anAdmissionThatWouldCollide_WaitsForNewsOfItsJob() {
        // given
        script.moment = Moment.SOON;
        script.answers.add("6");
        writer.carryOut(new Plan(List.of(ADMIT), false, Long.MAX_VALUE));
        Await.until("it was looked at", () -> writer.busy() == 0);
        assertThat(events).isEmpty();
        // when
        script.moment = Moment.NOW;
        parking.news("u");
        // then
        Await.until("an answer", () -> !events.isEmpty());
        assertThat(events).containsExactly(new Event.WriteDone("u", "6"));
    }
}
