package dev.muster.web;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A real browser without a window, where there is one; without it the test that opens it is skipped and says so in one line. */
public final class Browser implements AutoCloseable {
    private static final File BINARY = new File("/usr/bin/chromium");
    private static final File DRIVER = new File("/usr/bin/chromedriver");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Opens one that keeps its profile in the folder. */
    public static Browser open(Path profile) {
        assumeTrue(BINARY.canExecute() && DRIVER.canExecute(), "skipped: needs chromium and chromium-driver");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BINARY);
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
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        return new Browser(new ChromeDriver(
                new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).build(), options));
    }

    /** The size of its view in CSS pixels. */
    public Browser sized(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
        return this;
    }

    /** Whether the user prefers {@code light} or {@code dark}. */
    public Browser preferring(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return this;
    }

    /** Goes to an address. */
    public Browser at(URI address) {
        driver.get(address.toString());
        return this;
    }

    /** Waits up to a minute until the selector finds something. */
    public Browser until(String selector) {
        new WebDriverWait(driver, PATIENCE)
                .withMessage("nothing was found for " + selector)
                .until(page -> !page.findElements(By.cssSelector(selector)).isEmpty());
        return this;
    }

    /** Waits up to a minute until the texts of what the selector finds are these. */
    public Browser until(String selector, String... texts) {
        new WebDriverWait(driver, PATIENCE)
                .withMessage(() -> selector + " says " + texts(selector))
                .until((WebDriver page) -> texts(selector).equals(List.of(texts)));
        return this;
    }

    /** All that the selector finds. */
    public List<WebElement> find(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** Texts of all that the selector finds, read at one moment. */
    public List<Object> texts(String selector) {
        return List.copyOf((List<?>) run(
                "return [...document.querySelectorAll(arguments[0])].map(found => found.textContent.trim())",
                selector));
    }

    /** What a script returns. */
    public Object run(String script, Object... arguments) {
        Object answer = driver.executeScript(script, arguments);
        return answer == null ? "" : answer;
    }

    /** What the page complained about, since the last question; not what one before it did, whose server is gone. */
    public List<LogEntry> complaints() {
        String page = driver.getCurrentUrl();
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getMessage().startsWith(page))
                .toList();
    }

    /**
     * The least contrast of the text of all that the selector finds against what lies behind it, by the formula of
     * WCAG 2; opacity counts. 1 is none, 21 is black on white.
     */
    public double leastContrast(String selector) {
        return ((Number) run(CONTRAST, selector)).doubleValue();
    }

    /** Keeps a picture of what is seen as {@code target/pages/NAME.png}. */
    public Browser picture(String name) {
        try {
            Path file = Path.of("target", "pages", name + ".png");
            Files.createDirectories(file.getParent());
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException("the picture " + name + " cannot be kept", e);
        }
        return this;
    }

    @Override
    public void close() {
        driver.quit();
    }

    private static final String CONTRAST = """
            const parse = color => {
              const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
              return { rgb: [r, g, b], a };
            };
            const over = (top, a, below) => top.map((part, i) => part * a + below[i] * (1 - a));
            const light = rgb => {
              const [r, g, b] = rgb.map(part => part / 255)
                .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
              return .2126 * r + .7152 * g + .0722 * b;
            };
            const shown = element => { // what is behind, and how much of what is in front comes through
              const line = [];
              for (let at = element; at; at = at.parentElement) line.unshift(at);
              let behind = [255, 255, 255];
              let opacity = 1;
              for (const at of line) {
                const style = getComputedStyle(at);
                opacity *= Number(style.opacity);
                const { rgb, a } = parse(style.backgroundColor);
                behind = over(rgb, a * opacity, behind);
              }
              return { behind, opacity };
            };
            const ratios = [...document.querySelectorAll(arguments[0])].map(element => {
              const { behind, opacity } = shown(element);
              const text = parse(getComputedStyle(element).color);
              const [low, high] = [light(behind), light(over(text.rgb, text.a * opacity, behind))].sort((a, b) => a - b);
              return (high + .05) / (low + .05);
            });
            return ratios.length ? Math.min(...ratios) : 0;
            """;
}
