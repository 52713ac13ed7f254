package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random lives in which every answer and every sight comes late, writes are refused, lost, or stored without an answer, and
 * time goes on meanwhile. What is stored must never be more than quota and nodes hold.
 */
class DelayedAnswersTest {
    private static final int NODES = 4;
    private static final Map<String, Long> QUOTA = Map.of("a", 16L, "b", 8L);

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("muster.seeds", 100));
    }

    /** An API server that is slow to answer, and slower to tell. */
    private static final class SlowServer {
        final World world = new World(EngineSettings.DEFAULT.with(EngineSettings.Life.UNBOUNDED));
        final Random random;
        final List<Action> unanswered = new ArrayList<>();
        /** What was stored, to be seen later, in order; by UID. */
        final ArrayDeque<String> unseen = new ArrayDeque<>();

        final Map<String, GangStatus> stored = new TreeMap<>();
        final List<Gang> live = new ArrayList<>();

        SlowServer(long seed) {
            random = new Random(seed);
            world.engine.apply(new Event.Synced(World.FENCE));
            world.nodeClass("h100");
            QUOTA.forEach(world::queue);
            for (int i = 0; i < NODES; i++) {
                world.node("n" + i, "h100", 8);
            }
        }

        void cycle() {
            unanswered.addAll(world.engine.cycle(world.now, 100).actions());
        }

        /** Stores a change and tells of it later. */
        void store(String uid, GangStatus status) {
            stored.put(uid, status);
            unseen.add(uid);
        }

        void answer(int which) {
            Action action = unanswered.remove(which);
            String uid = action.target().uid();
            GangStatus now = stored.get(uid);
            int luck = random.nextInt(10);
            if (now == null) {
                refuse(uid, Event.Refusal.GONE);
            } else if (!now.resourceVersion().equals(action.target().resourceVersion())) {
                refuse(uid, Event.Refusal.STALE);
            } else if (luck == 0) {
                refuse(uid, Event.Refusal.REFUSED);
            } else if (luck == 1) {
                refuse(uid, Event.Refusal.UNKNOWN);
            } else {
                GangStatus after = now.after(action.change().orElseThrow(), world.next(), World.FENCE);
                store(uid, after);
                if (luck == 2) {
                    refuse(uid, Event.Refusal.UNKNOWN); // it was stored, and nobody knows
                } else {
                    world.engine.apply(new Event.WriteDone(uid, after.resourceVersion()));
                }
            }
        }

        private void refuse(String uid, Event.Refusal refusal) {
            world.engine.apply(new Event.WriteRefused(uid, refusal, "refused", world.now));
        }

        void see() {
            String uid = unseen.poll();
            GangStatus status = uid == null ? null : stored.get(uid);
            if (status != null) {
                world.show(uid, status);
            }
        }

        void submit(int step) {
            String queue = random.nextInt(3) < 2 ? "a" : "b";
            int members = 1 + random.nextInt(3);
            long gpus = 1 + random.nextInt(8);
            int priority = random.nextInt(3);
            Gang gang = random.nextBoolean()
                    ? world.spot("g" + step, queue, members, gpus, priority)
                    : world.gang("g" + step, queue, members, gpus, priority);
            world.jobs.put(gang.uid(), gang);
            live.add(gang);
            store(
                    gang.uid(),
                    new GangStatus(
                            world.next(),
                            true,
                            Acknowledged.UNKNOWN,
                            0,
                            0,
                            Map.of(),
                            End.NOT_YET,
                            null,
                            null,
                            "",
                            GangMarks.NONE));
        }

        /** A job's controller says what it does: it takes a start or a stop up, or has finished. */
        void report() {
            if (live.isEmpty()) {
                return;
            }
            Gang gang = live.get(random.nextInt(live.size()));
            GangStatus status = stored.get(gang.uid());
            if (status.admission() == null || status.end() != End.NOT_YET) {
                return;
            }
            boolean ends = !status.suspended() && random.nextInt(3) == 0;
            Acknowledged taken = status.suspended() ? Acknowledged.NO : Acknowledged.YES;
            store(gang.uid(), status.reported(world.next(), taken, 0, 0, ends ? End.SUCCEEDED : End.NOT_YET));
            if (ends) {
                live.remove(gang);
            }
        }

        void step(int step) {
            int what = random.nextInt(12);
            if (what < 3) {
                submit(step);
            } else if (what < 6 && !unanswered.isEmpty()) {
                answer(random.nextInt(unanswered.size()));
            } else if (what < 9) {
                see();
            } else if (what < 11) {
                report();
            } else {
                world.now += random.nextInt(400_000);
            }
            cycle();
        }

        /** Everything is answered and seen, again and again, until nothing is left to be done for an hour. */
        void quiesce() {
            for (int round = 0; round < 400; round++) {
                while (!unseen.isEmpty()) {
                    see();
                }
                cycle();
                while (!unanswered.isEmpty()) {
                    answer(0);
                }
                for (Gang gang : List.copyOf(live)) {
                    GangStatus status = stored.get(gang.uid());
                    if (status.suspended() && status.admission() != null && status.resumed() != Acknowledged.NO) {
                        store(gang.uid(), status.reported(world.next(), Acknowledged.NO, 0, 0, End.NOT_YET));
                    }
                }
                world.now += 10_000;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void howeverLateAnswersComeNothingIsOvershotAndAtRestNothingThatFitsWaits(long seed) {
        SlowServer server = new SlowServer(seed);
        for (int step = 0; step < 250; step++) {
            server.step(step);
            check("seed " + seed + ", step " + step, server);
        }
        server.quiesce();
        check("seed " + seed + ", at rest", server);
        atRest("seed " + seed, server);
    }

    private static void check(String at, SlowServer server) {
        Map<String, Long> used = new TreeMap<>();
        Map<String, Long> nodes = new TreeMap<>();
        server.stored.forEach((uid, status) -> {
            Admission admission = status.admission();
            if (admission != null && status.end() == End.NOT_YET) {
                Gang gang = server.world.job(uid);
                long each = gang.podsets().get(0).shape().requests().get(World.GPU);
                for (PodSetPlace place : admission.podsets()) {
                    used.merge(gang.queue(), each * place.count(), Long::sum);
                    for (NodeSlots slots : place.nodes()) {
                        nodes.merge(slots.node(), each * slots.members(), Long::sum);
                    }
                }
            }
        });
        used.forEach(
                (queue, gpus) -> assertThat(gpus).as(at + ": use of " + queue).isLessThanOrEqualTo(QUOTA.get(queue)));
        nodes.forEach(
                (node, gpus) -> assertThat(gpus).as(at + ": use of " + node).isLessThanOrEqualTo(8));
    }

    private static void atRest(String at, SlowServer server) {
        for (Gang gang : server.live) {
            GangStatus status = server.stored.get(gang.uid());
            if (status.admission() == null) {
                assertThat(server.world.view(gang).state())
                        .as(at + ": " + gang.name())
                        .isEqualTo(GangState.WAITING);
                assertThat(server.world.sentence(gang))
                        .as(at + ": why " + gang.name() + " waits")
                        .isNotEmpty()
                        .doesNotStartWith("Quota and place are there");
            }
        }
    }
}
