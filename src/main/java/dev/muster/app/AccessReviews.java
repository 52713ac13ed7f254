package dev.muster.app;

import dev.muster.web.access.Caller;
import dev.muster.web.access.Reviews;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks the API server whose a token is, and what its owner may do, by TokenReview and SubjectAccessReview. */
final class AccessReviews implements Reviews {
    private final KubernetesClient client;

    AccessReviews(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public Optional<Caller> whose(String token) {
        TokenReviewStatus status = ask(() -> client.tokenReviews()
                .create(new TokenReviewBuilder()
                        .withNewSpec()
                        .withToken(token)
                        .endSpec()
                        .build())
                .getStatus());
        UserInfo user = status == null ? null : status.getUser();
        return status != null && Boolean.TRUE.equals(status.getAuthenticated()) && user != null
                ? Optional.of(new Caller(
                        orEmpty(user.getUsername()),
                        orEmpty(user.getUid()),
                        user.getGroups() == null ? List.of() : user.getGroups(),
                        user.getExtra() == null ? Map.of() : user.getExtra()))
                : Optional.empty();
    }

    @Override
    public boolean mayGetJobs(Caller caller, String namespace) {
        return ask(() -> Boolean.TRUE.equals(client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(caller.user())
                        .withUid(caller.uid())
                        .withGroups(caller.groups())
                        .withExtra(caller.extra())
                        .withNewResourceAttributes()
                        .withGroup("batch")
                        .withResource("jobs")
                        .withVerb("get")
                        .withNamespace(namespace)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed()));
    }

    /** The client's own message may repeat what was sent, and that holds the token: only its code goes on. */
    private static <T> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (KubernetesClientException e) {
            throw new Unanswered(
                    switch (e.getCode()) {
                        case 0, -1 -> "it does not answer";
                        case 403 -> "Muster may not ask it (403); the ClusterRole muster is of an older version";
                        default -> "it answered " + e.getCode();
                    });
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
