package dev.muster.app;

import dev.muster.app.WebhookTrust.Installed;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the API server would find wrong with the webhook: it answers over TLS, and every installed webhook configuration
 * trusts its certificate, by the name that it calls, now. Where none is installed, nobody's trust can be asked.
 */
final class WebhookProbe {
    private final TlsProbe tls;

    /** {@code patience} bounds each connection and each answer. */
    WebhookProbe(Duration patience) {
        this.tls = new TlsProbe(patience);
    }

    /** All problems at once, each for people; empty when there is none. */
    List<String> problems(int port, Installed installed, Instant now) {
        List<String> problems = new ArrayList<>();
        try {
            if (installed.callers().isEmpty()) {
                WebhookCaller.outOfTime(tls.served(port, "").get(0), now).ifPresent(problems::add);
            }
            for (WebhookCaller caller : installed.callers()) {
                caller.objection(tls.served(port, caller.callsAnAddress() ? "" : caller.host()), now)
                        .filter(problem -> !problems.contains(problem))
                        .ifPresent(problems::add);
            }
        } catch (IOException e) {
            problems.add("port " + port + " does not answer over TLS: " + e.getMessage()
                    + ". Maybe the key does not belong to the certificate");
        }
        return problems;
    }
}
