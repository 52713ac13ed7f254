package dev.muster.cluster;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The real control plane that a test runs on, with an administrator's rights; it knows what it made, and {@link #clean} removes it.
 *
 * <p>No retries: a call to an API server that is down fails at once.
 */
public final class ControlPlane implements AutoCloseable {
    /** Tenants that {@code .ci/controlplane/up} knows, and the group of each. */
    private static final Map<String, String> TENANTS = Map.of("alice", "team-vision", "bob", "team-nlp");

    private static final String MUSTER_NAMESPACE = "muster-system";
    private static final String MUSTER_ACCOUNT = "muster";
    /** Enough for a thousand jobs, one by one. */
    private static final Duration CLEANING = Duration.ofMinutes(3);

    private static final long PAGE = 250;

    private final Path kubeconfig;
    private final KubernetesClient admin;
    private final Map<String, KubernetesClient> others = new ConcurrentHashMap<>();
    private final Deque<HasMetadata> made = new ArrayDeque<>();
    private final List<String> namespaces = new ArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final String run = Long.toString(System.currentTimeMillis() / 100 % 2_000_000_000L, 36);

    private ControlPlane(Path kubeconfig, KubernetesClient admin) {
        this.kubeconfig = kubeconfig;
        this.admin = admin;
    }

    static ControlPlane connect(Path kubeconfig) {
        return new ControlPlane(kubeconfig, client(configFrom(kubeconfig)));
    }

    /** The administrator's client. */
    public KubernetesClient admin() {
        return admin;
    }

    /** The client of {@code alice} (group team-vision) or {@code bob} (team-nlp), who may do what {@link #grantEdit} gave them. */
    public KubernetesClient asTenant(String name) {
        return others.computeIfAbsent("tenant " + name, key -> {
            Path own = kubeconfig.resolveSibling("kubeconfig-" + name);
            return client(Files.exists(own) ? configFrom(own) : impersonating(name));
        });
    }

    /** A client with Muster's own service account, which has the rights of the applied RBAC and no more. */
    public KubernetesClient asMuster() {
        return others.computeIfAbsent("muster", key -> client(withToken(musterToken(Duration.ofHours(2)))));
    }

    /** Lets a tenant edit the common kinds (jobs, pods, deployments ...) of a namespace. */
    public void grantEdit(String tenant, String namespace) {
        admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName("edit-" + tenant)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "edit")
                        .addNewSubject("rbac.authorization.k8s.io", "User", tenant, null)
                        .build())
                .serverSideApply();
        Await.until("the right of " + tenant + " is seen", () -> mayCreateJobs(tenant, namespace));
    }

    /** The API server learns of a binding a moment after it is stored. */
    private boolean mayCreateJobs(String tenant, String namespace) {
        SubjectAccessReview asked = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser(tenant)
                .withNewResourceAttributes()
                .withGroup("batch")
                .withResource("jobs")
                .withVerb("create")
                .withNamespace(namespace)
                .endResourceAttributes()
                .endSpec()
                .build();
        SubjectAccessReview answered =
                admin.authorization().v1().subjectAccessReview().create(asked);
        return Boolean.TRUE.equals(answered.getStatus().getAllowed());
    }

    /** Makes a namespace whose name begins with {@code stem} and is used once; the name is returned. */
    public String newNamespace(String stem) {
        String name = unique(stem);
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        namespaces.add(name);
        return name;
    }

    /** A name that begins with {@code stem} and is used once, at most 63 characters. */
    public String unique(String stem) {
        return stem + "-" + run + "-" + numbers.incrementAndGet();
    }

    /** Applies each object of a YAML text by forced server-side apply; {@link #clean} deletes them. */
    public List<HasMetadata> apply(String yaml) {
        List<HasMetadata> applied = new ArrayList<>();
        for (HasMetadata object : parse(yaml)) {
            applied.add(applyOne(object));
            made.push(object);
        }
        return applied;
    }

    /** As {@link #apply(String)}, from a file. */
    public List<HasMetadata> apply(Path file) {
        return apply(read(file));
    }

    /**
     * Applies a file, or each {@code .yaml} file of a folder in the order of their names, to stay: CRDs, RBAC, policies.
     * Mutating policies are left out when the server does not know them; see {@link #knowsMutatingPolicies}.
     */
    public void install(Path fileOrFolder) {
        boolean mutating = knowsMutatingPolicies();
        for (Path file : yamlFiles(fileOrFolder)) {
            parse(read(file)).stream()
                    .filter(object -> mutating || !object.getKind().startsWith("MutatingAdmissionPolicy"))
                    .forEach(this::applyOne);
        }
        awaitCustomResources();
    }

    /** Whether the API server knows {@code MutatingAdmissionPolicy} v1 (Kubernetes 1.36 and later). */
    public boolean knowsMutatingPolicies() {
        return admin.getApiResources("admissionregistration.k8s.io/v1").getResources().stream()
                .anyMatch(resource -> resource.getKind().equals("MutatingAdmissionPolicy"));
    }

    /** Creates the one object of a YAML text as kubectl does: unknown fields are refused. {@link #clean} deletes it. */
    public HasMetadata create(String yaml) {
        HasMetadata object = parse(yaml).get(0);
        HasMetadata created = admin.resource(object)
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .create();
        made.push(created);
        return created;
    }

    /** The objects of a YAML text. */
    public List<HasMetadata> parse(String yaml) {
        return admin.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items();
    }

    /** Makes simulated nodes, and waits until each is ready and may take pods. */
    public void nodes(FakeNode... nodes) {
        for (FakeNode node : nodes) {
            Node object = node.toNode();
            admin.resource(object).create();
            made.push(object);
        }
        for (FakeNode node : nodes) {
            Await.until(
                    "node " + node.name() + " is ready",
                    () -> admin.nodes().withName(node.name()).get(),
                    ControlPlane::takesPods);
        }
    }

    /** Makes Muster's namespace and service account, if need be, and mints a token for it. */
    public String musterToken(Duration validity) {
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(MUSTER_NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        admin.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(MUSTER_ACCOUNT)
                        .withNamespace(MUSTER_NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        return admin.serviceAccounts()
                .inNamespace(MUSTER_NAMESPACE)
                .withName(MUSTER_ACCOUNT)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(validity.toSeconds())
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }

    /** The text of a kubeconfig for a bearer token. */
    public String kubeconfigFor(String token) {
        return kubeconfigFor(token, admin.getConfiguration().getMasterUrl());
    }

    /** As {@link #kubeconfigFor(String)}, for another way to the same API server. */
    public String kubeconfigFor(String token, String server) {
        Config config = admin.getConfiguration();
        return """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
                users: [{name: u, user: {token: "%s"}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                current-context: c
                """.formatted(server, config.getCaCertData(), token);
    }

    /** Kills one component, such as {@code kube-apiserver}; only on a control plane made by {@code .ci/controlplane/up}. */
    public void stopComponent(String component) {
        script("down", "--now", component);
    }

    /** Starts again what {@link #stopComponent} stopped, and waits until all answers. */
    public void startComponents() {
        script("up");
    }

    /** Deletes all that this object made, pods first and nodes last, and waits until it is gone. */
    public void clean() {
        namespaces.forEach(this::empty);
        namespaces.forEach(name -> admin.namespaces().withName(name).delete());
        namespaces.clear();
        List<HasMetadata> objects = List.copyOf(made);
        made.clear();
        objects.forEach(object -> admin.resource(object).delete());
        for (HasMetadata object : objects) {
            Await.until(
                    object.getKind() + " " + object.getMetadata().getName() + " is deleted",
                    CLEANING,
                    () -> admin.resource(object).get() == null,
                    gone -> gone);
        }
    }

    @Override
    public void close() {
        clean();
        others.values().forEach(KubernetesClient::close);
        admin.close();
    }

    private void empty(String namespace) {
        Await.until(
                "all jobs in " + namespace + " are on their way out",
                CLEANING,
                () -> delete(admin.batch().v1().jobs().inNamespace(namespace)),
                begun -> begun == 0);
        admin.apps().deployments().inNamespace(namespace).delete();
        admin.apps().statefulSets().inNamespace(namespace).delete();
        Await.until(
                "no pods are left in " + namespace,
                CLEANING,
                () -> {
                    delete(admin.pods().inNamespace(namespace));
                    return admin.pods().inNamespace(namespace).list().getItems().size();
                },
                count -> count == 0);
    }

    /**
     * Begins the deletion of all, page by page and one by one, for to delete a thousand in one request takes longer than a
     * request may. Returns how many were not on their way before.
     */
    private <T extends HasMetadata, L extends KubernetesResourceList<T>> int delete(Listable<L> all) {
        int begun = 0;
        String next = null;
        do {
            L page = all.list(
                    new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
            for (T object : page.getItems()) {
                if (object.getMetadata().getDeletionTimestamp() == null) {
                    admin.resource(object)
                            .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                            .withGracePeriod(0)
                            .delete();
                    begun++;
                }
            }
            next = page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
        return begun;
    }

    private HasMetadata applyOne(HasMetadata object) {
        return admin.resource(object)
                .fieldManager("muster-test")
                .forceConflicts()
                .serverSideApply();
    }

    private void awaitCustomResources() {
        admin.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                .filter(crd -> crd.getSpec().getGroup().equals("muster.dev"))
                .map(crd -> crd.getMetadata().getName())
                .forEach(name -> Await.until(
                        "the resource " + name + " is served",
                        () -> admin.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withName(name)
                                .get(),
                        crd -> crd.getStatus() != null
                                && crd.getStatus().getConditions().stream()
                                        .anyMatch(c -> c.getType().equals("Established")
                                                && c.getStatus().equals("True"))));
    }

    private static boolean takesPods(Node node) {
        return node.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"))
                && node.getSpec().getTaints().stream().noneMatch(t -> t.getKey().startsWith("node.kubernetes.io/"));
    }

    private void script(String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(".ci", "controlplane", name).toString(),
                kubeconfig.getParent().toString()));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(command + " ended with " + code + ": " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(command + " cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", e);
        }
    }

    private Config impersonating(String tenant) {
        String group = TENANTS.get(tenant);
        if (group == null) {
            throw new IllegalArgumentException("there is no tenant '" + tenant + "', only " + TENANTS.keySet());
        }
        return new ConfigBuilder(admin.getConfiguration())
                .withImpersonateUsername(tenant)
                .withImpersonateGroups(group)
                .build();
    }

    private Config withToken(String token) {
        return Config.fromKubeconfig(kubeconfigFor(token));
    }

    private static Config configFrom(Path file) {
        return Config.fromKubeconfig(read(file));
    }

    private static KubernetesClient client(Config config) {
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static List<Path> yamlFiles(Path fileOrFolder) {
        if (Files.isRegularFile(fileOrFolder)) {
            return List.of(fileOrFolder);
        }
        try (Stream<Path> files = Files.list(fileOrFolder)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(fileOrFolder + " cannot be listed", e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }
}
