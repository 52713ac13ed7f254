package dev.muster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({
        "0s,       PT0S",
        "90s,      PT1M30S",
        "10m,      PT10M",
        "1h30m,    PT1H30M",
        "30m1h,    PT1H30M",
        "7d,       PT168H",
        "999999d,  PT23999976H"
    })
    void theParts_AreAddedUp(String text, Duration expected) {
        assertThat(DurationText.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "m", "-1m", "1.5h", "1w", "1 h", "1000000s", "1h2m3s1h2m3s1h2m3s"})
    void whatIsNoDuration_IsRefusedWithItsText(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parse(text))
                .withMessageStartingWith("'" + text + "' is not a duration. Maybe ");
    }
}
