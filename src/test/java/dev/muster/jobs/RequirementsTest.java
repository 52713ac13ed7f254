package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Requirement;
import dev.muster.core.model.Requirement.Operator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequirementsTest {
    @Test
    void everyOperatorAndFactIsRead() {
        Problems problems = new Problems();

        assertThat(Requirements.parse(
                        "f",
                        "cuda>=12.4, driver > 550,gpu-memory<=80Gi ,compute<9.0, product!=H100,arch==arm64",
                        problems))
                .containsExactly(
                        new Requirement("cuda", Operator.AT_LEAST, "12.4"),
                        new Requirement("driver", Operator.MORE, "550"),
                        new Requirement("gpu-memory", Operator.AT_MOST, "85899345920"),
                        new Requirement("compute", Operator.LESS, "9.0"),
                        new Requirement("product", Operator.NOT_EQUAL, "H100"),
                        new Requirement("arch", Operator.EQUAL, "arm64"));
        assertThat(problems.all()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "cuda | f is 'cuda': that is no demand. Maybe write it like cuda>=12.4, gpu-memory>=80Gi",
                "cuda>=new | f is 'cuda>=new': the value is no version. Maybe write it like 12.4",
                "gpu-memory>=80GB | f is 'gpu-memory>=80GB': the value is no amount of memory. Maybe write it like 80Gi",
                "product>H100 | f is 'product>H100': product is a name and has no order. Maybe use = or !=",
                "cudnn>=9 | f is 'cudnn>=9': no node class declares that fact. Maybe cuda, driver, compute, gpu-memory, product or arch",
            })
    void whatCannotBeReadSaysTheCure(String text, String problem) {
        Problems problems = new Problems();

        assertThat(Requirements.parse("f", text, problems)).isEmpty();
        assertThat(problems.all()).containsExactly(problem);
    }

    @Test
    void allProblemsAreSaidAtOnce() {
        Problems problems = new Problems();

        Requirements.parse("f", "a=1,cuda>=12,b=2,", problems);

        assertThat(problems.all()).hasSize(3);
    }
}
