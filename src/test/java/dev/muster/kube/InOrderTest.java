package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class InOrderTest {
    private final Queue<Runnable> executor = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final InOrder inOrder = new InOrder(executor::add);

    @Test
    void tasksOfOneKeyRunOneAfterTheOther_AndOthersBesideThem() {
        // given
        inOrder.run("a", () -> ran.add("a1"));
        inOrder.run("a", () -> ran.add("a2"));
        inOrder.run("b", () -> ran.add("b1"));
        // then two keys are busy, with one task each on the executor
        assertThat(executor).hasSize(2);
        assertThat(inOrder.busy()).isEqualTo(2);
        // when
        executor.forEach(Runnable::run);
        // then
        assertThat(ran).containsExactly("a1", "a2", "b1");
        assertThat(inOrder.busy()).isZero();
    }

    @Test
    void aTaskThatIsAddedByItsPredecessorRunsAfterIt() {
        // given
        inOrder.run("a", () -> {
            inOrder.run("a", () -> ran.add("second"));
            ran.add("first");
        });
        // when
        executor.remove().run();
        // then
        assertThat(ran).containsExactly("first", "second");
    }
}
