package dev.muster.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.jobs.Trial;
import dev.muster.kinds.GangKind;
import dev.muster.kube.KindState.Standing;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which described kinds are served and can be managed. In each round:
 *
 * <ol>
 *   <li>Group and version are asked for; a kind that is not served is absent, and nothing else is asked of it.
 *   <li>Its managed objects are listed, one at most: the rights are there.
 *   <li>Unless it is on already, a labelled sample is created in a dry run: what comes back must be suspended, with label and
 *       gate in each pod template. Otherwise the policies are missing, or the schema prunes what they write.
 * </ol>
 */
final class Discovery {
    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesClient client;
    private final List<GangKind> kinds;
    private final String namespace;
    private final Map<String, KindState> states = new ConcurrentHashMap<>();
    private volatile boolean complete;
    private volatile boolean claims;
    private long last;

    /** Asks for these kinds; samples are tried in this namespace. */
    Discovery(KubernetesClient client, List<GangKind> kinds, String namespace) {
        this.client = client;
        this.kinds = kinds;
        this.namespace = namespace;
        this.complete = kinds.isEmpty();
    }

    /** Whether everything was asked once. */
    boolean isComplete() {
        return complete;
    }

    /** Whether templates of claims are served. */
    boolean servesClaims() {
        return claims;
    }

    /** What is known of each kind, in the order of the descriptors. */
    List<KindState> states() {
        return kinds.stream()
                .flatMap(kind -> Optional.ofNullable(states.get(kind.name().id())).stream())
                .toList();
    }

    /** The kinds that are on. */
    List<GangKind> on() {
        return kinds.stream()
                .filter(kind -> {
                    KindState state = states.get(kind.name().id());
                    return state != null && state.standing() == Standing.ON;
                })
                .toList();
    }

    /** A round if one is due: every so many nanoseconds, and at each call as long as nothing is known yet. */
    void roundIfDue(long nanos, long every) {
        if (!complete || nanos - last >= every) {
            round();
            last = nanos;
        }
    }

    /** One round. Without an answer, what was known stays so. Throws what the client throws when nothing was known yet. */
    void round() {
        Map<String, List<String>> served = new HashMap<>();
        for (GangKind kind : kinds) {
            KindState before = states.get(kind.name().id());
            try {
                List<String> plurals = served.computeIfAbsent(kind.name().apiVersion(), this::plurals);
                KindState now = !plurals.contains(kind.name().plural())
                        ? new KindState(kind.name(), Standing.ABSENT, "")
                        : state(kind, before);
                states.put(kind.name().id(), now);
                if (!now.equals(before)) {
                    tell(now, before);
                }
            } catch (KubernetesClientException e) {
                if (before == null) {
                    throw e;
                }
                LOG.info(
                        "whether {} is served is not known now: {}", kind.name().resource(), e.getMessage());
            }
        }
        try {
            claims |= plurals("resource.k8s.io/v1").contains("resourceclaimtemplates");
        } catch (KubernetesClientException e) {
            if (!complete) {
                throw e;
            }
            LOG.info("whether claims are served is not known now: {}", e.getMessage());
        }
        complete = true;
    }

    private List<String> plurals(String apiVersion) {
        APIResourceList list = client.getApiResources(apiVersion);
        return list == null || list.getResources() == null
                ? List.of()
                : list.getResources().stream()
                        .map(resource -> resource.getName())
                        .toList();
    }

    private KindState state(GangKind kind, @Nullable KindState before) {
        try {
            client.genericKubernetesResources(Generic.context(kind.name()))
                    .inAnyNamespace()
                    .withLabel(Marks.MANAGED)
                    .list(new ListOptionsBuilder().withLimit(1L).build());
        } catch (KubernetesClientException e) {
            if (e.getCode() == 404) {
                return new KindState(kind.name(), Standing.ABSENT, "");
            }
            if (!isAnswer(e.getCode())) {
                throw e;
            }
            return off(kind, "Muster cannot list them: " + message(e) + ". Maybe apply what `kinds render` prints");
        }
        if (before != null && before.standing() == Standing.ON) {
            return before;
        }
        String fault = tried(kind);
        return fault.isEmpty() ? new KindState(kind.name(), Standing.ON, "") : off(kind, fault);
    }

    /** What keeps it from being managed; empty when nothing does. */
    private String tried(GangKind kind) {
        ObjectNode plain = Trial.sample(kind, namespace, false);
        List<String> missing;
        try {
            missing = Trial.missing(kind, created(kind, plain));
        } catch (KubernetesClientException e) {
            if (!isAnswer(e.getCode())) {
                throw e;
            }
            return "a dry run of a sample was refused: " + message(e)
                    + ". Maybe apply what `kinds render` prints, which needs Kubernetes 1.36, or correct the sample in its descriptor";
        }
        if (missing.isEmpty()) {
            return "";
        }
        try {
            List<String> pruned = Trial.missing(kind, created(kind, Trial.sample(kind, namespace, true)));
            return pruned.isEmpty()
                    ? "nothing gave a sample " + String.join(" and ", missing)
                            + ". Maybe apply what `kinds render` prints, which needs Kubernetes 1.36"
                    : "its schema drops " + String.join(" and ", pruned)
                            + ". Maybe install a CustomResourceDefinition whose pod templates have the whole schema, metadata"
                            + " and schedulingGates included, or keep unknown fields there";
        } catch (KubernetesClientException e) {
            return "nothing gave a sample " + String.join(" and ", missing) + ": " + message(e);
        }
    }

    private JsonNode created(GangKind kind, ObjectNode sample) {
        GenericKubernetesResource object = JSON.convertValue(sample, GenericKubernetesResource.class);
        return JSON.valueToTree(client.genericKubernetesResources(Generic.context(kind.name()))
                .inNamespace(namespace)
                .resource(object)
                .dryRun()
                .create());
    }

    /** Whether the API server has answered; 500 is what it says when another webhook does not. */
    private static boolean isAnswer(int code) {
        return code >= 400 && code <= 500 && code != 429;
    }

    private static KindState off(GangKind kind, String said) {
        return new KindState(kind.name(), Standing.OFF, said);
    }

    private static void tell(KindState now, @Nullable KindState before) {
        if (now.standing() == Standing.OFF) {
            LOG.warn("{} cannot be managed: {}", now.name().id(), now.said());
        } else if (now.standing() == Standing.ON || before != null) {
            LOG.info("{} is {}", now.name().id(), now.standing() == Standing.ON ? "managed" : "not served any more");
        }
    }

    private static String message(KubernetesClientException e) {
        return e.getStatus() == null || e.getStatus().getMessage() == null
                ? String.valueOf(e.getMessage())
                : e.getStatus().getMessage();
    }
}
