package dev.muster.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What whoever holds Muster's token has no right to, with the shipped RBAC; what the rights are narrowed to says MustersRightsIT. */
@OnControlPlane
class StolenTokenIT {
    private static final List<String> WRITES = List.of("create", "update", "patch", "delete", "deletecollection");

    private final ControlPlane cluster;
    private final KubernetesClient muster;

    StolenTokenIT(ControlPlane cluster) {
        this.cluster = cluster;
        this.muster = cluster.asMuster();
    }

    @BeforeEach
    void rights() {
        cluster.install(Path.of("manifests/base/namespace.yaml"));
        cluster.install(Path.of("manifests/base/rbac.yaml"));
        cluster.install(Path.of("manifests/crds"));
    }

    @ParameterizedTest(name = "{0}: {1}, {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "read secrets | '' | secrets | get list watch create update patch delete",
                "read configuration | '' | configmaps | get list watch create update patch delete",
                "become somebody else | '' | serviceaccounts | impersonate create update patch delete",
                "become a group | '' | groups | impersonate",
                "mint tokens | '' | serviceaccounts/token | create",
                "widen its rights | rbac.authorization.k8s.io | clusterroles | bind escalate create update patch delete",
                "bind its rights | rbac.authorization.k8s.io | clusterrolebindings | create update patch delete",
                "take policies away | admissionregistration.k8s.io | validatingadmissionpolicies | create update patch delete",
                "unbind policies | admissionregistration.k8s.io | validatingadmissionpolicybindings | create update patch delete",
                "point the webhook elsewhere | admissionregistration.k8s.io | mutatingwebhookconfigurations | create update patch delete",
                "make pods | '' | pods | create update deletecollection",
                "enter pods | '' | pods/exec | get create",
                "evict pods | '' | pods/eviction | create",
                "read logs | '' | pods/log | get",
                "change a pod's size | '' | pods/resize | update patch",
                "put a debugger in | '' | pods/ephemeralcontainers | update patch",
                "bind pods | '' | pods/binding | create",
                "change nodes | '' | nodes | get create update patch delete",
                "reach kubelets | '' | nodes/proxy | get create",
                "make or end jobs | batch | jobs | create update delete deletecollection",
                "write their status | batch | jobs/status | update patch",
                "change quota | muster.dev | teamqueues | create update patch delete",
                "change node classes | muster.dev | gpunodeclasses | create update patch delete",
                "change namespaces | '' | namespaces | get list create update patch delete",
                "run workloads | apps | deployments | get list create update patch delete",
            })
    void noRightTo(String sentence, String group, String resource, String verbs) {
        assertThat(Arrays.stream(verbs.split(" ")).filter(verb -> may(verb, group, resource)))
                .isEmpty();
    }

    @Test
    void ofLeasesItHasOne() {
        assertThat(WRITES.stream().filter(verb -> mayOn(verb, "coordination.k8s.io", "leases", "kube-system", "x")))
                .isEmpty();
        assertThat(WRITES.stream().filter(verb -> mayOn(verb, "coordination.k8s.io", "leases", "muster-system", "x")))
                .containsExactly("create");
        assertThat(WRITES.stream()
                        .filter(verb -> mayOn(verb, "coordination.k8s.io", "leases", "muster-system", "muster-leader")))
                .containsExactly("create", "update");
    }

    @Test
    void whatItMayAskAboutOthersIsWhatTheStatusApiNeeds() {
        assertThat(may("create", "authentication.k8s.io", "tokenreviews")).isTrue();
        assertThat(may("create", "authorization.k8s.io", "subjectaccessreviews"))
                .isTrue();
    }

    @Test
    void aSpecOfAQueueIsOutOfItsReach_AndSoIsItsStatusByAnotherName() {
        String name = cluster.unique("q");
        cluster.create("""
                apiVersion: muster.dev/v1alpha1
                kind: TeamQueue
                metadata: {name: %s}
                spec: {owner: lead}
                """.formatted(name));
        var queue = muster.genericKubernetesResources("muster.dev/v1alpha1", "TeamQueue")
                .withName(name);

        assertThatThrownBy(() -> queue.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"weight\":9}}"))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(403));
    }

    private boolean may(String verb, String group, String resource) {
        return mayOn(verb, group, resource, "", "");
    }

    private boolean mayOn(String verb, String group, String resource, String namespace, String name) {
        String[] parts = resource.split("/");
        return Boolean.TRUE.equals(muster.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
                        .withVerb(verb)
                        .withGroup(group)
                        .withResource(parts[0])
                        .withSubresource(parts.length > 1 ? parts[1] : "")
                        .withNamespace(namespace)
                        .withName(name)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed());
    }
}
