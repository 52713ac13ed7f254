package dev.muster.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.app.WebhookTrust.Found;
import dev.muster.app.WebhookTrust.Installed;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who calls the webhook, as read from its configurations. */
class WebhookTrustTest {
    private static WebhookClientConfig service(String authorities) {
        return new WebhookClientConfigBuilder()
                .withCaBundle(bundle(authorities))
                .withNewService()
                .withName("muster-webhook")
                .withNamespace("muster-system")
                .endService()
                .build();
    }

    private static WebhookClientConfig url(String url, String authorities) {
        return new WebhookClientConfigBuilder()
                .withUrl(url)
                .withCaBundle(bundle(authorities))
                .build();
    }

    private static String bundle(String authorities) {
        return Base64.getEncoder().encodeToString(authorities.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void everyDifferentCallOfEveryConfigurationCounts_AndWhatIsNotInstalledIsNamed(@TempDir Path folder)
            throws IOException {
        // given
        Path own = Files.writeString(folder.resolve("roots.pem"), "roots");
        List<Found> found = List.of(
                new Found("a", List.of(service("x"), service("x"), service(""))),
                new Found("b", null),
                new Found("c", List.of(url("https://[::1]:9443/v", "y"), url("https://example.com/v", "x"))));
        // then
        assertThat(new WebhookTrust(Optional.of(own), () -> found, () -> 0).installed())
                .isEqualTo(new Installed(
                        List.of(
                                new WebhookCaller("a", "muster-webhook.muster-system.svc", "x"),
                                new WebhookCaller("a", "muster-webhook.muster-system.svc", "roots"),
                                new WebhookCaller("c", "::1", "y"),
                                new WebhookCaller("c", "example.com", "x")),
                        List.of("b is not installed")));
    }

    @Test
    void aWebhookThatIsNewAndNamesNobodyYetIsSaidAndStopsNoOther() throws IOException {
        List<Found> found = List.of(new Found("a", List.of(service("x"), service(""))));

        assertThat(new WebhookTrust(Optional.empty(), () -> found, () -> 0).installed())
                .isEqualTo(new Installed(
                        List.of(new WebhookCaller("a", "muster-webhook.muster-system.svc", "x")),
                        List.of("a has a webhook without caBundle")));
    }

    @Test
    void whereNoWebhookNamesAnybodyEachIsAsked() throws IOException {
        List<Found> found = List.of(new Found("a", List.of(service(""))));

        assertThat(new WebhookTrust(Optional.empty(), () -> found, () -> 0).installed())
                .isEqualTo(new Installed(
                        List.of(new WebhookCaller("a", "muster-webhook.muster-system.svc", "")), List.of()));
    }

    @Test
    void theApiServerIsAskedAtMostEveryTenSeconds() throws IOException {
        // given
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        AtomicInteger asked = new AtomicInteger();
        WebhookTrust trust = new WebhookTrust(
                Optional.empty(),
                () -> List.of(new Found("configuration " + asked.incrementAndGet(), null)),
                nanos::get);
        // then
        assertThat(trust.installed().unfinished()).containsExactly("configuration 1 is not installed");
        nanos.addAndGet(9_999_999_999L);
        assertThat(trust.installed().unfinished()).containsExactly("configuration 1 is not installed");
        nanos.addAndGet(1);
        assertThat(trust.installed().unfinished()).containsExactly("configuration 2 is not installed");
    }
}
