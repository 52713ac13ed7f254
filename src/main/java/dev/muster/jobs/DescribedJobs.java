package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.PodSet;
import dev.muster.kinds.FieldRule;
import dev.muster.kinds.GangKind;
import dev.muster.kinds.KindName;
import dev.muster.kinds.Signal;
import dev.muster.kinds.Signal.Answer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Objects of a described kind: its descriptor says where everything stands in them. */
public final class DescribedJobs implements JobReader {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final GangKind kind;

    /** Reads objects of this kind. */
    public DescribedJobs(GangKind kind) {
        this.kind = kind;
    }

    @Override
    public KindName name() {
        return kind.name();
    }

    /** The descriptor. */
    public GangKind kind() {
        return kind;
    }

    @Override
    public GangReading read(HasMetadata job, Surroundings surroundings) {
        return read(tree(job), surroundings);
    }

    /** As {@link #read(HasMetadata, Surroundings)}, from the object as a tree. */
    public GangReading read(JsonNode job, Surroundings surroundings) {
        Problems problems = new Problems();
        ObjectMeta meta = meta(job, problems);
        GangStatus status = GangStatusReader.read(meta, said(job), problems);
        Gang gang = gang(job, meta, surroundings, problems);
        return gang == null || !problems.isEmpty()
                ? GangReader.unreadable(meta, problems.all(), status)
                : new GangReading.Readable(gang, status);
    }

    @Override
    public GangStatus status(HasMetadata job) {
        JsonNode tree = tree(job);
        return GangStatusReader.read(meta(tree, new Problems()), said(tree), new Problems());
    }

    @Override
    public Optional<Member> member(HasMetadata job, JsonNode pod) {
        return member(tree(job), pod);
    }

    /** As {@link #member(HasMetadata, JsonNode)}, from the object as a tree. */
    public Optional<Member> member(JsonNode job, JsonNode pod) {
        Map<String, String> labels = JSON.convertValue(
                pod.path("metadata").path("labels"),
                JSON.getTypeFactory().constructMapType(Map.class, String.class, String.class));
        return Expanded.of(kind, job).stream()
                .filter(podset -> podset.has(labels == null ? Map.of() : labels))
                .map(podset -> new Member(podset.name(), podset.ranked(), podset.rank(pod)))
                .findFirst();
    }

    @Override
    public String patch(HasMetadata job, JobChange change, Writing as) {
        return JobPatches.moved(
                JobPatches.of(change, as.resourceVersion(), as.fence(), as.now()),
                kind.suspend().pointer());
    }

    private @Nullable Gang gang(JsonNode job, ObjectMeta meta, Surroundings surroundings, Problems problems) {
        for (FieldRule rule : kind.refusals()) {
            if (rule.test().holds(job)) {
                problems.add(rule.test().field().text(), rule.test().value(job), rule.because(), rule.cure());
            }
        }
        List<Template> templates = templates(job, problems);
        if (templates.isEmpty()) {
            problems.add("there is no pod template with a pod in "
                    + kind.podsets().get(0).frozen() + ": no pod would ever run");
            return null;
        }
        JobMarks marks = new JobMarks(meta, problems);
        String namespace = meta.getNamespace() == null ? "" : meta.getNamespace();
        List<PodSet> podsets = new ArrayList<>();
        templates.forEach(template -> podsets.add(PodSets.read(template, marks, namespace, surroundings, problems)));
        JsonNode deadline = kind.deadline() == null
                ? JsonNodeFactory.instance.nullNode()
                : kind.deadline().in(job);
        return GangReader.gang(
                meta, marks, podsets, templates, surroundings, deadline.canConvertToLong() ? deadline.asLong() : null);
    }

    private List<Template> templates(JsonNode job, Problems problems) {
        List<Template> templates = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (Expanded podset : Expanded.of(kind, job)) {
            PodTemplateSpec template = template(podset, problems);
            List<Integer> factors = podset.factors(problems);
            long count = 1;
            for (int factor : factors) {
                count = Math.min(Integer.MAX_VALUE + 1L, count * factor);
            }
            if (!names.add(podset.name())) {
                problems.add(podset.at(), podset.key(), "another podset has this name", "choose another one");
            }
            if (count > Integer.MAX_VALUE) {
                problems.add("podset " + podset.name() + " has " + factors
                        + " members, multiplied: more than a job can have");
            } else if (template != null && count > 0) {
                templates.add(new Template(
                        podset.name(),
                        podset.path(podset.rule().template().text()),
                        template.getMetadata(),
                        template.getSpec(),
                        (int) count,
                        podset.ranked()));
            }
        }
        return templates;
    }

    private static @Nullable PodTemplateSpec template(Expanded podset, Problems problems) {
        String at = podset.path(podset.rule().template().text());
        if (!podset.template().path("spec").isObject()) {
            problems.add(at + ".spec is missing: a gang needs a pod template");
            return null;
        }
        try {
            return JSON.treeToValue(podset.template(), PodTemplateSpec.class);
        } catch (JsonProcessingException | IllegalArgumentException otherForm) {
            String first =
                    String.valueOf(otherForm.getMessage()).lines().findFirst().orElse("");
            problems.add(at + " is no pod template: " + Problems.quote(first));
            return null;
        }
    }

    private GangStatusReader.Said said(JsonNode job) {
        Answer suspended = kind.suspended().in(job);
        long active = kind.active().stream()
                .flatMap(path -> path.all(job))
                .mapToLong(count -> Math.max(0, count.asLong()))
                .sum();
        return new GangStatusReader.Said(
                kind.suspend().in(job).asBoolean(),
                suspended == Answer.UNKNOWN
                        ? Acknowledged.UNKNOWN
                        : suspended == Answer.YES ? Acknowledged.NO : Acknowledged.YES,
                (int) Math.min(Integer.MAX_VALUE, active),
                0,
                Map.of(),
                isSaid(kind.succeeded(), job) ? End.SUCCEEDED : isSaid(kind.failed(), job) ? End.FAILED : End.NOT_YET);
    }

    private static boolean isSaid(@Nullable Signal signal, JsonNode job) {
        return signal != null && signal.in(job) == Answer.YES;
    }

    private static ObjectMeta meta(JsonNode job, Problems problems) {
        try {
            ObjectMeta meta = JSON.treeToValue(job.path("metadata"), ObjectMeta.class);
            return meta == null ? new ObjectMeta() : meta;
        } catch (JsonProcessingException | IllegalArgumentException otherForm) {
            problems.add("metadata cannot be read: "
                    + Problems.quote(String.valueOf(otherForm.getMessage())
                            .lines()
                            .findFirst()
                            .orElse("")));
            return new ObjectMeta();
        }
    }

    private static JsonNode tree(HasMetadata job) {
        return JSON.valueToTree(job);
    }
}
