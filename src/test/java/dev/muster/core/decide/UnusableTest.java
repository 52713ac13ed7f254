package dev.muster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Amounts;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnusableTest {
    private static final String GPU = "nvidia.com/gpu";

    @ParameterizedTest(name = "{0}: {1} GPUs, {2} CPUs, {3} GiB on 8 GPUs, {4} CPUs, 1024 GiB make {5} unusable")
    @CsvSource({
        "its part of everything, 1, 8, 128, 64, 1",
        "nothing but GPUs, 3, 0, 0, 64, 3",
        "all CPUs, 1, 64, 16, 64, 8",
        "half of the CPUs, 1, 32, 16, 64, 4",
        "half of the memory, 1, 4, 512, 64, 4",
        "the larger part counts, 2, 16, 640, 64, 5",
        "a part of a GPU more is a whole one, 1, 10, 0, 64, 2",
        "an eighth of what was bought of a node that keeps something back, 1, 8, 0, 63, 1",
        "no GPU and a few CPUs, 0, 1, 4, 64, 0",
        "no GPU and a GPU's part of CPUs, 0, 8, 4, 64, 1",
        "no GPU and all memory, 0, 4, 1024, 64, 8",
        "more than the node has, 1, 100, 0, 64, 8",
        "a node that is not known, 1, 64, 0, 0, 1",
    })
    void aPodIsChargedTheGpusThatItMakesUnusable(
            String title, long gpus, long cpus, long gib, long nodeCpus, long charged) {
        Amounts requests =
                Amounts.of(Map.of(GPU, gpus, Amounts.CPU, cpus * 1000, Amounts.MEMORY, gib << 30, Amounts.PODS, 1L));
        Amounts node = nodeCpus == 0
                ? Amounts.NONE
                : Amounts.of(
                        Map.of(GPU, 8L, Amounts.CPU, nodeCpus * 1000, Amounts.MEMORY, 1024L << 30, Amounts.PODS, 4L));

        assertThat(Unusable.gpus(requests, GPU, node)).describedAs(title).isEqualTo(charged);
    }

    @ParameterizedTest(name = "{0} of {0} bytes")
    @CsvSource({"1000000000000000", "1152921504606846976"})
    void theLargestAmountsThatCanBeStatedAreCountedExactly(long bytes) {
        Amounts all = Amounts.of(Map.of(GPU, 16L, Amounts.MEMORY, bytes));
        Amounts half = Amounts.of(Map.of(GPU, 1L, Amounts.MEMORY, bytes / 2));

        assertThat(Unusable.gpus(all, GPU, all)).isEqualTo(16);
        assertThat(Unusable.gpus(half, GPU, all)).isEqualTo(8);
    }
}
