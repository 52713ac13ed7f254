package dev.muster.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.GangState;
import dev.muster.engine.Views.NodeView;
import dev.muster.engine.Views.QuotaView;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page in each state that it can be in, in a real browser; a picture of each is kept in {@code target/pages}. */
class PageStatesTest {
    private static final GivenViews FILLED = new GivenViews()
            .queue(
                    "vision",
                    new QuotaView("h100", GivenViews.GPU, 16, 20, 8),
                    new QuotaView("h100", GivenViews.NETWORK_CARD, 16, 20, 8))
            .nodeClass(
                    "h100",
                    new NodeView("gpu-h100-0001", true, 8, 0),
                    new NodeView("gpu-h100-0002", false, 8, 8),
                    new NodeView("gpu-h100-0003", true, 1, 1))
            .waiting("train-with-network-cards", GivenViews.withNetworkCards(8))
            .holding("runs", GangState.RUNNING, 1_790_000_000_000L)
            .holding("starts", GangState.ADMITTED, 1_790_000_100_000L)
            .holding("stops", GangState.STOPPING, 1_789_999_000_000L);

    private static @Nullable Browser opened;

    private Browser browser;

    @BeforeAll
    static void open(@TempDir Path profile) {
        opened = Browser.open(profile);
    }

    @BeforeEach
    void forget() {
        browser = Objects.requireNonNull(opened);
        browser.complaints();
    }

    @AfterAll
    static void close() {
        Browser browser = opened;
        if (browser != null) {
            browser.close();
        }
    }

    @ParameterizedTest(name = "{0}, {1} px wide")
    @CsvSource({"light, 1280", "dark, 1280", "light, 375", "dark, 375"})
    void everyTextCanBeRead_AndNothingSticksOut(String scheme, int width) {
        try (PageServer server = PageServer.over(FILLED)) {
            browser.sized(width, 900).preferring(scheme).at(server.root()).until("#active .state");

            browser.picture("filled-" + scheme + "-" + width);
            assertThat(Set.of(
                                    ".node.down b",
                                    ".node.down small",
                                    ".node b",
                                    ".card-head p",
                                    ".quota-line span",
                                    ".quota-line small",
                                    ".key",
                                    ".count",
                                    ".clock",
                                    ".row .place",
                                    ".row .why",
                                    ".row .why b",
                                    ".row .title small",
                                    ".state",
                                    "#link-text",
                                    "footer a")
                            .stream()
                            .collect(Collectors.toMap(text -> text, browser::leastContrast)))
                    .allSatisfy(
                            (text, contrast) -> assertThat(contrast).as(text).isGreaterThanOrEqualTo(4.5));
            assertThat(browser.run("return document.documentElement.scrollWidth"))
                    .isEqualTo((long) width);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void theNodesAreAListThatIsReadAloud() {
        try (PageServer server = PageServer.over(FILLED)) {
            browser.at(server.root()).until("#classes .node");

            assertThat(browser.texts("#classes [role=list] > [role=listitem] > .for-ears"))
                    .containsExactly(
                            "gpu-h100-0001: 8 of 8 GPUs used",
                            "gpu-h100-0002: 0 of 8 GPUs used, not ready",
                            "gpu-h100-0003: 0 of 1 GPU used");
            assertThat(browser.texts(".node.down small:not([hidden])")).containsExactly("not ready");
            assertThat(browser.texts(".node:not(.down) small:not([hidden])")).isEmpty();
        }
    }

    @Test
    void idleGpusOfANodeThatIsNotReady_AreNeitherUsedNorFree() {
        try (PageServer server = PageServer.over(FILLED)) {
            browser.at(server.root()).until("#active .state");

            assertThat(browser.texts("#classes .figures")).containsExactly("8 used · 1 free · 8 not usable of 17 GPUs");
            assertThat(browser.texts("#total-gpus")).containsExactly("8 of 17");
        }
    }

    @Test
    void aNetworkCardIsNoGpu() {
        try (PageServer server = PageServer.over(FILLED)) {
            browser.at(server.root()).until("#waiting .size");

            assertThat(browser.texts("#waiting .size")).containsExactly("8 GPUs");
            assertThat(browser.texts(".quota .name")).containsExactly("h100 GPUs", "h100 rdma/hca");
        }
    }

    @Test
    void withoutQueuesAndJobs_ItSaysWhatToDo() {
        try (PageServer server = PageServer.over(new GivenViews())) {
            browser.sized(1280, 900).at(server.root()).until("#active .empty");

            browser.picture("empty");
            assertThat(browser.texts(".empty:not([hidden])"))
                    .containsExactly(
                            "No queue yet. Apply a TeamQueue, and it shows here at once.",
                            "No node class yet. Apply a GpuNodeClass whose selector fits your GPU nodes.",
                            "Nobody waits.",
                            "Nothing runs.");
            assertThat(browser.find(".skeleton")).isEmpty();
            assertThat(browser.texts("#link-text")).containsExactly("Live");
        }
    }

    @Test
    void whenTheServerGoesAway_ItSaysSo_AndComesBackByItself() {
        try (PageServer server = PageServer.over(FILLED)) {
            browser.sized(1280, 900).at(server.root()).until("#active .state");

            server.end();

            browser.until("#link-text", "Connection lost").picture("lost");
            assertThat(browser.texts("#notice:not([hidden])"))
                    .singleElement()
                    .satisfies(notice -> assertThat(notice.toString())
                            .matches("What you see is from .+\\. Muster does not answer; trying again\\."));
            assertThat(browser.find("main[data-stale] #waiting .size")).hasSize(1);
            assertThat(browser.leastContrast(".row .why")).isGreaterThanOrEqualTo(4.5);

            server.begin();

            browser.until("#link-text", "Live");
            assertThat(browser.find("main[data-stale], #notice:not([hidden])")).isEmpty();
        }
    }

    @Test
    void whenTheEngineIsSilent_ItShowsNoOldNewsAsLive() {
        GivenViews views = new GivenViews().queue("vision", new QuotaView("h100", GivenViews.GPU, 8, 0, 0));
        try (PageServer server = PageServer.over(views)) {
            browser.sized(1280, 900).at(server.root()).until("#link-text", "Live");

            views.answers = false;

            browser.until("#link-text", "Connection lost").picture("stale");
            browser.at(server.root());
            browser.until("#link-text", "No connection").picture("never");
            assertThat(browser.texts("#notice"))
                    .containsExactly("Muster does not answer. Maybe it is still starting; trying again.");

            views.answers = true;

            browser.until("#queues h3", "vision");
            assertThat(browser.texts("#link-text")).containsExactly("Live");
        }
    }

    @Test
    void whereATokenIsAskedFor_ItHasAFieldForOne_AndForgetsItWithThePage() {
        try (PageServer server = PageServer.asking(FILLED, "good")) {
            browser.sized(1280, 900)
                    .at(server.root())
                    .until("#sign-in:not([hidden])")
                    .picture("sign-in");
            assertThat(browser.texts("#link-text")).containsExactly("Not signed in");
            assertThat(browser.texts("#notice")).containsExactly("The token is not one that the API server accepts.");

            signIn("wrong");
            browser.until("#link-text", "Not signed in");
            signIn("good");

            browser.until("#active .state").until("#link-text", "Live");
            assertThat(browser.find("#sign-in:not([hidden])")).isEmpty();
            assertThat(browser.run("return localStorage.length + sessionStorage.length + document.cookie.length"))
                    .isEqualTo(0L);

            browser.at(server.root()).until("#sign-in:not([hidden])");
        }
    }

    private void signIn(String token) {
        browser.run(
                "document.getElementById('token').value = arguments[0];"
                        + "document.getElementById('sign-in').requestSubmit();",
                token);
    }
}
