package dev.muster.core.decide.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.share.PolicyWorlds;
import dev.muster.core.share.Stake;
import dev.muster.core.share.World;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyWorldsTest {
    static final Victims EQUAL = new Victims() {
        @Override
        public boolean mayStop(Stake gang) {
            return true;
        }

        @Override
        public long cost(Stake gang) {
            return gang.size();
        }
    };

    @ParameterizedTest
    @MethodSource("dev.muster.core.share.PolicyWorlds#all")
    void an_independent_model_gives_the_same_answers(PolicyWorlds.Case given) {
        World world = given.world();

        assertThat(world.due()).as("entitlement").isEqualTo(given.due());
        assertThat(world.coveredAt()).as("cover").isEqualTo(given.coveredAt());
        assertThat(world.admissible()).as("admissible").isEqualTo(given.admissible());
        assertThat(evictions(world)).as("evictions").containsExactlyInAnyOrderElementsOf(given.evictions());
    }

    @ParameterizedTest
    @MethodSource("dev.muster.core.share.PolicyWorlds#all")
    void the_fast_search_finds_the_best_of_all_sets(PolicyWorlds.Case given) {
        World world = given.world();
        Evictions evictions = new Evictions(world.standing());
        for (String name : world.waiting()) {
            Prospect prospect = evictions.prospect(world.stake(name), true, EQUAL);
            List<Eviction> all = prospect.all(Place.ANYWHERE);
            Outcome found = prospect.search(Place.ANYWHERE);
            if (all.isEmpty()) {
                assertThat(found).as(name).isInstanceOf(Outcome.Refused.class);
            } else {
                assertThat(found).as(name).isEqualTo(new Outcome.Evict(all.get(0)));
            }
        }
    }

    static List<String> evictions(World world) {
        Evictions evictions = new Evictions(world.standing());
        List<String> found = new ArrayList<>();
        for (String name : world.waiting()) {
            for (Eviction eviction :
                    evictions.prospect(world.stake(name), true, EQUAL).all(Place.ANYWHERE)) {
                TreeSet<String> victims = new TreeSet<>();
                eviction.victims().forEach(victim -> victims.add(world.nameOf(victim)));
                found.add(name + " evicts " + victims);
            }
        }
        return found;
    }
}
