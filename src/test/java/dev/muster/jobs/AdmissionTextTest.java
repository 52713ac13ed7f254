package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionTextTest {
    private static final Admission ADMISSION = new Admission(
            1,
            3,
            1_714_521_610_000L,
            List.of(new PodSetPlace(
                    "main",
                    "h100",
                    Amounts.of(Map.of("nvidia.com/gpu", 8L, "cpu", 4000L)),
                    List.of(new NodeSlots("n1", 1), new NodeSlots("n2", 2)))));

    @Test
    void anAdmissionIsWrittenAndReadBack() {
        String text = AdmissionText.write(ADMISSION);

        assertThat(text)
                .isEqualTo(
                        "{\"version\":1,\"attempt\":3,\"admittedAt\":1714521610000,\"podsets\":[{\"podset\":\"main\","
                                + "\"nodeClass\":\"h100\",\"perMember\":{\"cpu\":4000,\"nvidia.com/gpu\":8},"
                                + "\"nodes\":[[\"n1\",1],[\"n2\",2]]}]}");
        assertThat(AdmissionText.read(text)).isEqualTo(ADMISSION);
    }

    @Test
    void fieldsOfANewerVersionArePassedOver() {
        String newer = AdmissionText.write(ADMISSION)
                .replace("\"version\":1", "\"version\":1,\"new\":{\"a\":[1]}")
                .replace("\"podset\":", "\"rack\":\"r1\",\"podset\":");

        assertThat(AdmissionText.read(newer)).isEqualTo(ADMISSION);
    }

    @Test
    void aPlaceOfTwoThousandNodesStaysBelowAQuarterOfWhatAnnotationsMayHold() {
        List<NodeSlots> nodes = IntStream.range(0, 2000)
                .mapToObj(i -> new NodeSlots("gpu-node-%05d.example".formatted(i), 8))
                .toList();

        String text = AdmissionText.write(
                new Admission(1, 1, 0, List.of(new PodSetPlace("main", "h100", Amounts.NONE, nodes))));

        assertThat(text.length()).isLessThan(64 * 1024);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "not json | the admission is no JSON. Maybe it was written by hand",
                "[] | the admission is no JSON object. Maybe it was written by hand",
                "{} | the admission has no list podsets",
                "{\"podsets\":[]} | the admission has no whole number in version",
                "{\"version\":1,\"attempt\":0,\"podsets\":[]} | the admission's attempt is 0, not 1 to 2147483647",
                "{\"podsets\":[{\"nodes\":[[\"n\",0]]}]} | a node of the admission is not [name, members]: [\"n\",0]",
                "{\"podsets\":[{\"nodes\":[],\"podset\":1}]} | the admission has no text in podset",
                "{\"podsets\":[{\"perMember\":{\"cpu\":1e30},\"nodes\":[]}]} | the admission has no whole number in cpu",
            })
    void aRecordThatIsOddIsRefusedWhole(String text, String message) {
        assertThatThrownBy(() -> AdmissionText.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
