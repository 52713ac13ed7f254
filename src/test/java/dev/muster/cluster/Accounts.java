package dev.muster.cluster;

import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;

/** Service accounts of a test, and what they may do. What is made in a namespace goes with it. */
public record Accounts(ControlPlane plane) {
    private static final long HOUR = Duration.ofHours(1).toSeconds();

    /** Makes an account without rights, and gives a token of it. */
    public String token(String namespace, String name) {
        plane.admin()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .serverSideApply();
        return plane.admin()
                .serviceAccounts()
                .inNamespace(namespace)
                .withName(name)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(HOUR)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }

    /** Lets the account of a namespace see the common kinds there; the binding is named {@code view}. */
    public void mayViewItsNamespace(String namespace, String name) {
        plane.admin()
                .resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName("view")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "view")
                        .addNewSubject("", "ServiceAccount", name, namespace)
                        .build())
                .serverSideApply();
    }

    /** Lets the account see the common kinds in all namespaces, until the control plane is cleaned. */
    public void mayViewEverything(String namespace, String name) {
        plane.create(Serialization.asYaml(new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(plane.unique("view-all"))
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "view")
                .addNewSubject("", "ServiceAccount", name, namespace)
                .build()));
    }
}
