package dev.muster.core.decide.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.share.Ledger;
import dev.muster.core.share.LedgerKind;
import dev.muster.core.share.RandomWorld;
import dev.muster.core.share.Stake;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EbbTest {
    @ParameterizedTest(name = "firm gangs only: {0}")
    @ValueSource(booleans = {false, true})
    void what_is_charged_at_any_time_is_what_those_are_charged_who_have_not_left(boolean firmOnly) {
        for (long seed = 1; seed <= 100; seed++) {
            RandomWorld world = new RandomWorld(seed, 6, 12);
            Random random = world.random();
            Map<String, Stake> stakes = new HashMap<>();
            Map<String, Long> ends = new HashMap<>();
            Departures departures = new Departures();
            Ledger now = new Ledger(world.tree(), firmOnly ? LedgerKind.FIRM : LedgerKind.NORMAL);
            for (Stake gang : world.gangs()) {
                stakes.put(gang.uid(), gang);
                ends.put(gang.uid(), random.nextInt(6) == 0 ? Long.MAX_VALUE : (long) random.nextInt(8));
                departures.put(new Occupant(gang.uid(), 0, ends.get(gang.uid()), true, Map.of(), Map.of()));
                if (gang.firm() || !firmOnly) {
                    now.charge(gang.queue(), gang.charge());
                }
            }
            Ebb ebb = new Ebb(now, firmOnly, departures, stakes::get);
            for (int question = 0; question < 30; question++) { // now forward, now back
                long time = random.nextInt(10);
                Set<String> gone = random.nextInt(3) > 0
                        ? Set.of()
                        : Set.of(world.gangs().get(0).uid());
                Ledger seen = !gone.isEmpty()
                        ? ebb.without(gone, time)
                        : random.nextBoolean() ? ebb.often(time) : ebb.at(time);

                Ledger counted = new Ledger(world.tree(), now.kind());
                stakes.values().stream()
                        .filter(gang -> gang.firm() || !firmOnly)
                        .filter(gang -> ends.get(gang.uid()) > time && !gone.contains(gang.uid()))
                        .forEach(gang -> counted.charge(gang.queue(), gang.charge()));
                assertThat(used(seen))
                        .as("seed %d at %d without %s", seed, time, gone)
                        .isEqualTo(used(counted));
            }
        }
    }

    private static List<Long> used(Ledger ledger) {
        int dims = ledger.tree().dimensions().size();
        return IntStream.range(0, ledger.tree().size() * dims)
                .mapToObj(i -> ledger.used(i / dims, i % dims))
                .toList();
    }
}
