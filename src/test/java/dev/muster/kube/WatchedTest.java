package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class WatchedTest {
    private final List<String> news = new ArrayList<>();
    private final Watched<Pod> watched = new Watched<>(UnaryOperator.identity(), new Watched.Sink<>() {
        @Override
        public void seen(Pod pod) {
            news.add("seen " + pod.getMetadata().getUid() + "@"
                    + pod.getMetadata().getResourceVersion());
        }

        @Override
        public void gone(Pod last) {
            news.add("gone " + last.getMetadata().getUid());
        }
    });

    private static Pod pod(String name, String uid, String version) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid(uid)
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }

    @Test
    void theAnswerToAWrite_AndTheWatchThatTellsItAgain_AreOnePieceOfNews() {
        watched.observe(pod("a", "u", "8"));
        watched.observe(pod("a", "u", "10")); // the answer to a write
        watched.observe(pod("a", "u", "9")); // the watch is behind
        watched.observe(pod("a", "u", "10"));
        assertThat(news).containsExactly("seen u@8", "seen u@10");
    }

    @Test
    void versionsThatAreNoNumbers_AreNewsUnlessEqual() {
        watched.observe(pod("a", "u", "x"));
        watched.observe(pod("a", "u", "w"));
        watched.observe(pod("a", "u", "w"));
        assertThat(news).containsExactly("seen u@x", "seen u@w");
    }

    @Test
    void aNameThatIsUsedAgain_EndsTheObjectBefore() {
        watched.observe(pod("a", "old", "1"));
        watched.observe(pod("a", "new", "2"));
        assertThat(news).containsExactly("seen old@1", "gone old", "seen new@2");
        assertThat(watched.named("ns", "a").orElseThrow().getMetadata().getUid())
                .isEqualTo("new");
        // and its deletion, told late, does not end the new one
        watched.lost(pod("a", "old", "1"));
        assertThat(watched.withUid("new")).isPresent();
    }

    @Test
    void whatIsNotInACompleteListIsGone_UnlessItIsNewerThanTheList() {
        watched.observe(pod("a", "kept", "1"));
        watched.observe(pod("b", "missed", "2"));
        watched.observe(pod("c", "young", "20"));
        news.clear();
        watched.listed(Set.of("kept"), "10");
        assertThat(news).containsExactly("gone missed");
    }
}
