package dev.muster.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.GangState;
import dev.muster.engine.Views.GangView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShownTest {
    @Test
    void theNewestIsShown_WhateverItsName_AmongMoreThanAThousand() {
        GivenViews views = new GivenViews();
        for (int i = 0; i < 1500; i++) {
            views.holding("a%04d".formatted(i), GangState.RUNNING, 1000 + i);
        }
        views.holding("z-newest", GangState.ADMITTED, 9000).holding("z-stopping", GangState.STOPPING, 8000);

        assertThat(names(new Shown(views).active(null, 4))).containsExactly("z-newest", "z-stopping", "a1499", "a1498");
    }

    @Test
    void whatHoldsComesBeforeWhatWaits_AndThatBeforeWhatHasEnded() {
        GivenViews views = new GivenViews()
                .ended("ended-first", 100)
                .ended("ended-last", 200)
                .waiting("b", Amounts.NONE)
                .holding("z", GangState.RUNNING, 50)
                .holding("y", GangState.RUNNING, 50);

        assertThat(names(new Shown(views).gangs(null, 100)))
                .containsExactly("y", "z", "b", "ended-last", "ended-first");
        assertThat(names(new Shown(views).gangs(null, 4))).containsExactly("y", "z", "b", "ended-last");
        assertThat(names(new Shown(views).gangs("other", 4))).isEmpty();
    }

    @Test
    void networkCardsAreNoGpus() {
        GivenViews views = new GivenViews().nodeClass("h100");

        assertThat(new Gpus(views.gpuResources()).in(GivenViews.withNetworkCards(4)))
                .isEqualTo(4);
        assertThat(new Gpus(views.gpuResources()).in(Amounts.of(Map.of(GivenViews.NETWORK_CARD, 8L))))
                .isZero();
        assertThat(new Gpus(Set.of()).in(Amounts.of(GivenViews.GPU, 1)))
                .as("of no class: nothing is known to be a GPU")
                .isZero();
    }

    private static List<String> names(List<GangView> gangs) {
        return gangs.stream().map(GangView::name).toList();
    }
}
