package dev.muster.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PastUseTest {
    private static final long DAY = 86_400;
    private static final long EPOCH = DAY / 64;

    @Test
    void staying_within_nominal_leaves_no_trace() {
        PastUse use = PastUse.startingAt(0, DAY).until(10 * DAY, 0, DAY);

        assertThat(use).isEqualTo(new PastUse(640, 0, 0, 10 * DAY));
        assertThat(use.mean(DAY)).isZero();
    }

    @Test
    void the_mean_of_a_steady_share_comes_close_to_it() {
        PastUse use = PastUse.startingAt(0, DAY).until(20 * DAY, Share.ONE, DAY);

        assertThat(use.mean(DAY)).isBetween(Share.ONE * 98 / 100, Share.ONE);
    }

    @Test
    void after_a_half_life_half_is_forgotten() {
        PastUse before = PastUse.startingAt(0, DAY).until(5 * DAY, Share.ONE, DAY);

        PastUse after = before.until(6 * DAY, 0, DAY);

        assertThat(after.history()).isBetween(before.history() * 499 / 1000, before.history() * 501 / 1000);
    }

    @Test
    void the_mean_stands_still_within_an_epoch() {
        PastUse start = PastUse.startingAt(0, DAY).until(3 * DAY, Share.ONE, DAY);

        PastUse later = start.until(3 * DAY + EPOCH - 1, 5 * Share.ONE, DAY);

        assertThat(later.mean(DAY)).isEqualTo(start.mean(DAY));
        assertThat(later.until(3 * DAY + EPOCH, 5 * Share.ONE, DAY).mean(DAY)).isGreaterThan(start.mean(DAY));
    }

    @Test
    void how_often_it_is_brought_up_to_date_does_not_matter() {
        PastUse atOnce = PastUse.startingAt(17, DAY).until(2 * DAY + 5, 12_345, DAY);

        PastUse often = PastUse.startingAt(17, DAY);
        for (long now = 18; now <= 2 * DAY + 5; now += 7) {
            often = often.until(now, 12_345, DAY);
        }

        assertThat(often.until(2 * DAY + 5, 12_345, DAY)).isEqualTo(atOnce);
    }

    @Test
    void years_of_silence_cost_no_time_and_an_extreme_share_counts_as_sixteen() {
        PastUse use = PastUse.startingAt(0, DAY).until(40_000 * DAY, Share.MOST, DAY);

        assertThat(use.mean(DAY)).isBetween(PastUse.MOST * 98 / 100, PastUse.MOST);
        assertThat(use.until(90_000_000 * DAY, 0, DAY).mean(DAY)).isZero();
    }

    @Test
    void another_half_life_keeps_the_history() {
        PastUse use = PastUse.startingAt(0, DAY).until(5 * DAY, Share.ONE, DAY);

        PastUse next = use.until(5 * DAY + 1, Share.ONE, DAY / 2);

        assertThat(next.history()).isEqualTo(use.history());
        assertThat(next.epoch()).isEqualTo((5 * DAY + 1) / (DAY / 128));
    }

    @Test
    void time_that_does_not_advance_changes_nothing() {
        PastUse use = PastUse.startingAt(100, DAY).until(200, Share.ONE, DAY);

        assertThat(use.until(200, 7, DAY)).isSameAs(use);
        assertThat(use.until(150, 7, DAY)).isSameAs(use);
        assertThatThrownBy(() -> use.until(300, 7, 63)).hasMessage("the half-life is 63 s; need at least 64 s");
    }
}
