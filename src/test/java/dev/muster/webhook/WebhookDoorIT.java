package dev.muster.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.FakeNode;
import dev.muster.cluster.OnControlPlane;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.jobs.JobPatches;
import dev.muster.jobs.Surroundings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicy;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole door: policies, and a webhook in this process whose facts come from a file and from the stored jobs. */
@OnControlPlane
class WebhookDoorIT {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static InstalledDoor door;

    private final ControlPlane cluster;
    private final KubernetesClient alice;
    private String namespace = "";

    WebhookDoorIT(ControlPlane cluster) {
        this.cluster = cluster;
        this.alice = cluster.asTenant("alice");
    }

    @BeforeAll
    static void install(ControlPlane cluster) {
        JsonNode facts = yaml("""
                queues:
                - {metadata: {name: vision}, spec: {owner: leads, quotas: [{nodeClass: h100, resource: nvidia.com/gpu, nominal: 16}]}}
                - {metadata: {name: small}, spec: {owner: leads, limits: {maxGangGpus: 8}}}
                classes:
                - metadata: {name: h100}
                  spec: {owner: infra, selector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}, taint: {key: nvidia.com/gpu, value: present, effect: NoSchedule}}
                outlook: {ahead: 2}
                """);
        door = InstalledDoor.whole(cluster, new LiveFacts(cluster.admin(), new GivenFacts(facts)));
    }

    @AfterAll
    static void remove() {
        door.close();
    }

    @BeforeEach
    void tenant() {
        namespace = cluster.newNamespace("webhook");
        cluster.grantEdit("alice", namespace);
        Await.until(
                "the webhook is asked",
                () -> !warnings(job("probe", "vision", "nvidia.com/gpu: 8"), true)
                        .isEmpty());
    }

    @Test
    void theSubmitterIsToldWhatHappenedAndADryRunSaysTheSame() {
        Job job = job("train", "vision", "nvidia.com/gpu: 8");

        List<String> dry = warnings(job, true);
        List<String> real = warnings(job, false);

        assertThat(real)
                .containsExactly(
                        "stored suspended in queue 'vision'; 2 gangs are ahead",
                        "the job asks for GPUs and does not say which, so any class may be given."
                                + " Maybe set muster.dev/node-classes or muster.dev/requires");
        assertThat(dry).isEqualTo(real);
        assertThat(alice.batch().v1().jobs().inNamespace(namespace).list().getItems())
                .hasSize(1);
    }

    @Test
    void whatCanNeverRunIsRefusedAtOnceWithEveryReason() {
        Job job = job("train", "small", "nvidia.com/gpu: 8");
        job.getMetadata().setAnnotations(Map.of("muster.dev/max-runtime", "soon"));

        assertThatThrownBy(() -> alice.resource(job).create())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                    assertThat(e.getCode()).isEqualTo(422);
                    assertThat(e.getMessage())
                            .contains("admission webhook \"validate.jobs.muster.dev\" denied the request:"
                                    + " metadata.annotations[muster.dev/max-runtime] is 'soon': that is no duration.");
                });
        job.getMetadata().setAnnotations(Map.of());
        assertThatThrownBy(() -> alice.resource(job).create())
                .hasMessageContaining("It asks for 16 GPUs; queue small takes gangs of at most 8");
    }

    @Test
    void c50_membersOfAnAdmittedGangAreBornWithTheirExactNode() {
        String one = cluster.unique("n");
        String two = cluster.unique("n");
        cluster.nodes(FakeNode.h100(one), FakeNode.h100(two));
        Job job = alice.resource(job("train", "vision", "nvidia.com/gpu: 8")).create();

        admit(job, two, one);

        List<Pod> pods = Await.until(
                "both members run",
                () -> alice.pods().inNamespace(namespace).list().getItems(),
                all -> all.size() == 2
                        && all.stream()
                                .allMatch(
                                        pod -> "Running".equals(pod.getStatus().getPhase())));
        Map<String, String> nodes = new TreeMap<>();
        for (Pod pod : pods) {
            Map<String, String> stamps = pod.getMetadata().getAnnotations();
            nodes.put(
                    stamps.get("batch.kubernetes.io/job-completion-index"),
                    pod.getSpec().getNodeName());
            assertThat(pod.getSpec().getSchedulingGates()).isNullOrEmpty();
            assertThat(stamps)
                    .containsEntry("muster.dev/gang-uid", job.getMetadata().getUid())
                    .containsEntry("muster.dev/charged-queue", "vision")
                    .containsEntry("muster.dev/node-class", "h100");
        }
        assertThat(nodes).isEqualTo(Map.of("0", two, "1", one));
    }

    @Test
    void disruptionsDoNotCountAsFailures_UnlessTheJobHasAPolicyOfItsOwnOrRestartsItsContainers() {
        PodFailurePolicy ignoring = new PodFailurePolicyBuilder()
                .addNewRule()
                .withAction("Ignore")
                .addNewOnPodCondition("True", "DisruptionTarget")
                .endRule()
                .build();
        PodFailurePolicy own = new PodFailurePolicyBuilder()
                .addNewRule()
                .withAction("FailJob")
                .withNewOnExitCodes()
                .withOperator("In")
                .withValues(3)
                .endOnExitCodes()
                .endRule()
                .build();
        Job withOne = new JobBuilder(job("own", "vision", "cpu: 1"))
                .editSpec()
                .withPodFailurePolicy(own)
                .endSpec()
                .build();
        Job restarting = job("restarting", "vision", "cpu: 1");
        restarting.getSpec().getTemplate().getSpec().setRestartPolicy("OnFailure");

        assertThat(alice.resource(job("train", "vision", "cpu: 1"))
                        .create()
                        .getSpec()
                        .getPodFailurePolicy())
                .isEqualTo(ignoring);
        assertThat(alice.resource(withOne).create().getSpec().getPodFailurePolicy())
                .isEqualTo(own);
        assertThat(alice.resource(restarting).create().getSpec().getPodFailurePolicy())
                .isNull();
    }

    @Test
    void queuesAndClassesAreAnsweredWithWarnings() {
        String name = cluster.unique("q");
        HasMetadata queue = cluster.parse("""
                apiVersion: muster.dev/v1alpha1
                kind: TeamQueue
                metadata: {name: %s}
                spec: {owner: me, parent: nobody, quotas: [{nodeClass: b200, resource: nvidia.com/gpu, nominal: 8}]}
                """.formatted(name)).get(0);

        List<String> said = warningsOf(cluster.admin(), queue, true);

        assertThat(said)
                .containsExactly(
                        "there is no TeamQueue 'nobody' yet, and jobs wait for it. Maybe see kubectl get teamqueues",
                        "there is no GpuNodeClass 'b200' yet, so its quota has no effect."
                                + " Maybe see kubectl get gpunodeclasses");
    }

    @Test
    void c19_whileTheWebhookIsAwayJobsAreStoredSuspendedAndOthersAreUntouched() {
        if (!cluster.knowsMutatingPolicies()) {
            return; // older servers fail closed for labelled jobs, as JobPoliciesIT says
        }
        door.stop();
        try {
            Job stored =
                    alice.resource(job("train", "vision", "nvidia.com/gpu: 8")).create();
            Job plain = job("plain", "vision", "cpu: 1");
            plain.getMetadata().setLabels(Map.of());

            assertThat(stored.getSpec().getSuspend()).isTrue();
            assertThat(alice.resource(plain).create().getSpec().getSuspend()).isFalse();
        } finally {
            door.start();
        }
    }

    @Test
    void aWebhookThatHangsDelaysThePodsOfOthersByLessThan25Seconds() throws IOException {
        // given 20 gangs that are about to start: more than the job controller has workers
        List<Job> gangs = IntStream.range(0, 20)
                .mapToObj(i ->
                        alice.resource(job("train-" + i, "vision", "cpu: 1")).create())
                .toList();
        Job plain = job("plain", "vision", "cpu: 1");
        plain.getMetadata().setLabels(Map.of());
        door.stop();
        // when the webhook accepts connections and never says a word
        try (ServerSocket silent = new ServerSocket(door.port(), 100, InetAddress.getByName("127.0.0.1"))) {
            long began = System.nanoTime();
            gangs.forEach(gang -> admit(gang, "n0", "n1"));
            alice.resource(plain).create();
            // then the pods of a job that nobody opted in come all the same
            Await.until("its pods exist", Duration.ofSeconds(25), () -> pods("plain"), pods -> pods == 2);
            long millis = (System.nanoTime() - began) / 1_000_000;
            gangs.forEach(gang -> Await.until(
                    "managed pods are born gated", () -> pods(gang.getMetadata().getName()), pods -> pods == 2));
            System.out.printf("with a silent webhook at %s the pods of another job came after %d ms%n", silent, millis);
        } finally {
            door.start();
        }
    }

    private int pods(String job) {
        return alice.pods()
                .inNamespace(namespace)
                .withLabel("batch.kubernetes.io/job-name", job)
                .list()
                .getItems()
                .size();
    }

    private void admit(Job job, String... nodes) {
        Admission admission = new Admission(
                1,
                1,
                5,
                List.of(new PodSetPlace(
                        "main",
                        "h100",
                        Amounts.of("nvidia.com/gpu", 8),
                        List.of(nodes).stream()
                                .map(node -> new NodeSlots(node, 1))
                                .toList())));
        String patch = JobPatches.admit("", "l/1", admission).replace("\"resourceVersion\":\"\",", "");
        cluster.asMuster().resource(job).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private List<String> warnings(Job job, boolean dryRun) {
        return warningsOf(alice, job, dryRun);
    }

    /** The warnings that come back with a create, as kubectl would print them. */
    private static List<String> warningsOf(KubernetesClient as, HasMetadata object, boolean dryRun) {
        List<String> headers = new CopyOnWriteArrayList<>();
        Interceptor listener = new Interceptor() {
            @Override
            public void after(
                    HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
                headers.addAll(response.headers("Warning"));
            }
        };
        try (KubernetesClient heard = new KubernetesClientBuilder()
                .withConfig(as.getConfiguration())
                .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor("warnings", listener))
                .build()) {
            if (dryRun) {
                heard.resource(object).dryRun().create();
            } else {
                heard.resource(object).create();
            }
        }
        return headers.stream()
                .map(header -> header.replaceFirst("^299 - \"(.*)\"$", "$1"))
                .toList();
    }

    private Job job(String name, String queue, String limits) {
        return (Job)
                cluster.parse("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s, namespace: %s, labels: {muster.dev/queue: %s}}
                spec:
                  parallelism: 2
                  completions: 2
                  completionMode: Indexed
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: train, resources: {limits: {%s}}}]
                """.formatted(name, namespace, queue, limits)).get(0);
    }

    private static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Facts of a file, and the jobs that are stored now. */
    private record LiveFacts(KubernetesClient admin, GivenFacts given) implements DoorFacts {
        @Override
        public boolean isComplete() {
            return true;
        }

        @Override
        public Surroundings surroundings() {
            return given.surroundings();
        }

        @Override
        public Optional<Queue> queue(String name) {
            return given.queue(name);
        }

        @Override
        public List<NodeClass> nodeClasses() {
            return given.nodeClasses();
        }

        @Override
        public Outlook outlook(Gang gang) {
            return given.outlook(gang);
        }

        @Override
        public Optional<StoredGang> gang(String uid) {
            return admin.batch().v1().jobs().inAnyNamespace().list().getItems().stream()
                    .filter(job -> job.getMetadata().getUid().equals(uid))
                    .map(job -> StoredGang.of(job, true))
                    .findFirst();
        }
    }
}
