package dev.muster.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.File;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

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

    private static final File BROWSER = new File("/usr/bin/chromium");
    private static final File DRIVER = new File("/usr/bin/chromedriver");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TestHTTPResource("/")
    URL root;

    @TempDir
    Path profile;

    private ChromeDriver browser;

    @BeforeEach
    void open() {
        assumeTrue(BROWSER.canExecute() && DRIVER.canExecute(), "skipped: needs chromium and chromium-driver");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER);
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        browser = new ChromeDriver(
                new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).build(), options);
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.quit();
        }
    }

    @Test
    void thePageFillsByItselfAndFitsAPhone() {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 844, "deviceScaleFactor", 1, "mobile", true));

        browser.get(root.toString());

        WebDriverWait wait = new WebDriverWait(browser, PATIENCE);
        wait.until(page -> !page.findElements(By.cssSelector("#active .state")).isEmpty());
        wait.until(page ->
                !page.findElements(By.cssSelector("#classes .cells i.on")).isEmpty());
        assertThat(texts("#link-text")).containsExactly("Live");
        assertThat(texts("#queues h3")).containsExactly("nlp", "vision");
        assertThat(texts("#classes h3")).containsExactly("a100", "h100");
        assertThat(browser.findElements(By.cssSelector("#classes li.node"))).hasSize(32);
        assertThat(browser.findElements(By.cssSelector("[role=meter]")))
                .hasSize(4)
                .allSatisfy(meter ->
                        assertThat(meter.getDomAttribute("aria-valuetext")).contains("GPUs used"));
        assertThat(browser.executeScript("return document.documentElement.scrollWidth"))
                .as("nothing sticks out on a phone")
                .isEqualTo(390L);
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
    }

    /** Texts of all that the selector finds, read at one moment. */
    private List<Object> texts(String selector) {
        return List.copyOf((List<?>) browser.executeScript(
                "return [...document.querySelectorAll(arguments[0])].map(found => found.textContent)", selector));
    }

    /** Values of an attribute of all that the selector finds, read at one moment. */
    private List<Object> attributes(String selector, String name) {
        return List.copyOf((List<?>) browser.executeScript(
                "return [...document.querySelectorAll(arguments[0])].map(found => found.getAttribute(arguments[1]))",
                selector,
                name));
    }
}
