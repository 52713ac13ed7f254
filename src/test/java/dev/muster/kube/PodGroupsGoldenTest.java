package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodSet;
import dev.muster.engine.Event;
import dev.muster.manifests.GoldenFolders;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each folder of {@code src/test/resources/pod-groups} is a case: {@code input.yaml} has news of pods in the order in which it
 * came, {@code expected.yaml} which gangs there are at the end and whose members the pods are. {@code -Dkinds.write=true}
 * writes them anew, to be read before they are committed.
 */
class PodGroupsGoldenTest {
    private static final Path FOLDER = Path.of("src/test/resources/pod-groups");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Event> gangs = new TreeMap<>();
    private final Map<String, PodFacts> pods = new TreeMap<>();

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void thePodsBecomeTheseGangs(String name) throws IOException {
        GoldenFolders.check(FOLDER.resolve(name), this::seen);
    }

    static Stream<String> thePodsBecomeTheseGangs() throws IOException {
        return GoldenFolders.in(FOLDER);
    }

    private JsonNode seen(JsonNode input) {
        PodGroups groups = new PodGroups(new Around(), this::take, uid -> {});
        Map<String, Pod> stored = new HashMap<>();
        for (JsonNode news : input) {
            if (news.has("gone")) {
                groups.gone(stored.remove(news.path("gone").asText()));
            } else {
                Pod pod = Serialization.unmarshal(news.path("seen").toString(), Pod.class);
                stored.put(pod.getMetadata().getName(), pod);
                groups.seen(pod);
            }
        }
        ObjectNode seen = JSON.createObjectNode();
        gangs.forEach((uid, event) -> gang(event, seen.withObject("/gangs").putObject(uid)));
        pods.values()
                .forEach(pod -> seen.withObject("/pods")
                        .put(
                                pod.name(),
                                pod.membership().gangUid() + " "
                                        + pod.membership().podset() + (pod.gated() ? " gated" : "")));
        return seen;
    }

    private void take(Event event) {
        if (event instanceof Event.GangSeen seen) {
            gangs.put(seen.gang().uid(), seen);
        } else if (event instanceof Event.GangBlocked blocked) {
            gangs.put(blocked.uid(), blocked);
        } else if (event instanceof Event.GangDeleted deleted) {
            assertThat(gangs.remove(deleted.uid())).isNotNull();
        } else if (event instanceof Event.PodSeen seen) {
            pods.put(seen.pod().uid(), seen.pod());
        } else if (event instanceof Event.PodDeleted deleted) {
            assertThat(pods.remove(deleted.uid())).isNotNull();
        }
    }

    private static void gang(Event event, ObjectNode out) {
        if (event instanceof Event.GangBlocked blocked) {
            out.put("name", blocked.name())
                    .put("reason", blocked.waiting().reason().wireName())
                    .put("sentence", blocked.waiting().sentence())
                    .put("help", blocked.waiting().help());
            return;
        }
        Gang gang = ((Event.GangSeen) event).gang();
        GangStatus status = ((Event.GangSeen) event).status();
        out.put("name", gang.name()).put("queue", gang.queue());
        for (PodSet podset : gang.podsets()) {
            ObjectNode one = out.withArray("/podsets").addObject();
            one.put("name", podset.name()).put("count", podset.count());
            podset.shape().requests().byResource().forEach(one.withObject("/asks")::put);
        }
        out.put("suspended", status.suspended())
                .put("active", status.active())
                .put("end", status.end().name());
        if (status.state() != null) {
            out.put("state", status.state().label());
        }
        status.remaining().forEach(out.withObject("/remaining")::put);
    }
}
