package dev.muster.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.web.Browser;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, where there is one; without it the tests are skipped and say so in one line. */
@QuarkusTest
@TestProfile(PageTest.WithTrace.class)
class PageTest {
    /** The demo as a newcomer sees it. */
    public static class WithTrace implements io.quarkus.test.junit.QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "muster.mode", "local",
                    "quarkus.management.test-port", "0",
                    "quarkus.http.test-port", "0");
        }
    }

    @TestHTTPResource("/")
    URL root;

    @TempDir
    Path profile;

    private Browser browser;

    @BeforeEach
    void open() {
        browser = Browser.open(profile);
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void thePageFillsByItselfAndFitsAPhone() throws URISyntaxException {
        browser.sized(375, 812).at(root.toURI());

        browser.until("#active .state").until("#classes .cells i.on");
        assertThat(browser.texts("#link-text")).containsExactly("Live");
        assertThat(browser.texts("#queues h3")).containsExactly("nlp", "vision");
        assertThat(browser.texts("#classes h3")).containsExactly("a100", "h100");
        assertThat(browser.find("#classes li.node")).hasSize(32);
        assertThat(browser.find("[role=meter]"))
                .hasSize(4)
                .allSatisfy(meter ->
                        assertThat(meter.getDomAttribute("aria-valuetext")).contains("GPUs used"));
        assertThat(browser.run("return document.documentElement.scrollWidth"))
                .as("nothing sticks out on a phone")
                .isEqualTo(375L);
        assertThat(browser.complaints()).isEmpty();
    }
}
