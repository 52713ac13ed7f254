package dev.muster.cluster;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The real controller of a kind of jobs as a process, with the service account that it has when installed as its makers say.
 * Its rights are an administrator's: what is tested is Muster. Its log is {@code target/it-logs/operator-NAME.log}.
 */
public final class Operator implements AutoCloseable {
    private static final Path LOGS = Path.of("target", "it-logs");

    private final Process process;

    private Operator(Process process) {
        this.process = process;
    }

    /** The folder that {@code .ci/controlplane/operators} prints, as {@code MUSTER_TEST_OPERATORS} names it. */
    public static Optional<Path> folder() {
        return Optional.ofNullable(System.getenv("MUSTER_TEST_OPERATORS"))
                .filter(path -> !path.isEmpty())
                .map(Path::of);
    }

    /** Starts a binary of the folder as a service account. */
    public static Operator start(
            ControlPlane plane, Path folder, String binary, String namespace, String account, String... arguments) {
        account(plane, namespace, account);
        try {
            Files.createDirectories(LOGS);
            Path kubeconfig = LOGS.resolve("operator-" + binary + ".kubeconfig").toAbsolutePath();
            Files.writeString(kubeconfig, plane.kubeconfigFor(token(plane, namespace, account)));
            List<String> command =
                    new ArrayList<>(List.of(folder.resolve(binary).toString()));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.redirectOutput(ProcessBuilder.Redirect.appendTo(
                    LOGS.resolve("operator-" + binary + ".log").toFile()));
            builder.environment().put("KUBECONFIG", kubeconfig.toString());
            return new Operator(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(binary + " cannot be started", e);
        }
    }

    /** Makes a service account with an administrator's rights. */
    public static void account(ControlPlane plane, String namespace, String account) {
        plane.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .serverSideApply();
        plane.admin()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(account)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .serverSideApply();
        plane.admin()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("test-" + account)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                        .addNewSubject("", "ServiceAccount", account, namespace)
                        .build())
                .serverSideApply();
    }

    /** A token of a service account. */
    public static String token(ControlPlane plane, String namespace, String account) {
        return plane.admin()
                .serviceAccounts()
                .inNamespace(namespace)
                .withName(account)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(7200L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }

    /** Ends it, and waits until it is gone. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
