package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.engine.Event.Refusal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteFailedTest {
    @ParameterizedTest(name = "{0} \"{1}\" means {2}")
    @CsvSource({
        "409, the object has been modified, STALE",
        "404, not found, GONE",
        "403, this leader has been replaced: the fence is u/5, REPLACED",
        "403, cannot patch resource jobs, REFUSED",
        "422, Muster changes spec.suspend only, REFUSED",
        "400, bad request, REFUSED",
        "429, too many requests, UNKNOWN",
        "500, internal error, UNKNOWN",
        "503, unavailable, UNKNOWN",
        "-1, no answer, UNKNOWN"
    })
    void aStatusAndItsMessageSayWhatBecameOfAWrite(int code, String message, Refusal refusal) {
        assertThat(WriteFailed.refusal(code, message)).isEqualTo(refusal);
    }
}
