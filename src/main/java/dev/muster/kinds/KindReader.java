package dev.muster.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.muster.files.LinedDocument;
import dev.muster.files.Problem;
import dev.muster.kinds.PodSetRule.Count;
import dev.muster.kinds.PodSetRule.Each;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads descriptor files: YAML, one kind to a document. All that is wrong is noted at once, with file and line. */
public final class KindReader {
    private static final Pattern GROUP = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
    private static final Pattern VERSION = Pattern.compile("v[0-9]+((alpha|beta)[0-9]+)?");
    private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");
    private static final Pattern PLURAL = Pattern.compile("[a-z][a-z0-9]{0,62}");
    private static final Pattern PODSET = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern FIELD = Pattern.compile("[A-Za-z][A-Za-z0-9]*");
    private static final String[] COMMON = {"group", "version", "kind", "plural", "refuse", "warn"};
    private static final String[] CARRIER = with(COMMON, "handsOn");
    private static final String[] GANG =
            with(COMMON, "makers", "suspend", "podsets", "deadline", "status", "owners", "sample");

    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, KindDescriptor> kinds = new TreeMap<>();

    /**
     * What was read.
     *
     * @param kinds those without a problem
     * @param problems everything that is wrong
     */
    public record Read(Kinds kinds, List<Problem> problems) {
        public Read {
            problems = List.copyOf(problems);
        }
    }

    private KindReader() {}

    /** Reads files, by name, in the order of their names. */
    public static Read read(Map<String, String> textByFile) {
        return read(Kinds.NONE, textByFile);
    }

    /** Reads files, by name, in the order of their names; one that describes a known kind again takes its place. */
    public static Read read(Kinds known, Map<String, String> textByFile) {
        KindReader reader = new KindReader();
        new TreeMap<>(textByFile).forEach(reader::file);
        Map<String, KindDescriptor> all = new LinkedHashMap<>();
        known.all().forEach(kind -> all.put(kind.name().id(), kind));
        all.putAll(reader.kinds);
        return new Read(new Kinds(List.copyOf(all.values())), reader.problems);
    }

    private void file(String file, String text) {
        for (LinedDocument document : LinedDocument.all(file, text, problems)) {
            if (document.tree().isNull()) {
                continue;
            }
            int before = problems.size();
            Cursor cursor = Cursor.of(file, document, problems);
            KindDescriptor kind = cursor.has("handsOn") ? carrier(cursor) : gang(cursor);
            if (kinds.containsKey(kind.name().id())) {
                cursor.problem("the kind " + kind.name().id() + " is described twice", "Maybe remove one of them");
            }
            if (kind.name().equals(KindName.JOB)) {
                cursor.problem("the batch Job is built in", "Maybe remove it");
            }
            if (problems.size() == before) {
                kinds.put(kind.name().id(), kind);
            }
        }
    }

    private static KindName name(Cursor in) {
        return new KindName(
                in.has("group") && in.node().path("group").asText().isEmpty()
                        ? ""
                        : in.required("group", GROUP, "kubeflow.org"),
                in.required("version", VERSION, "v1"),
                in.required("kind", KIND, "PyTorchJob"),
                in.required("plural", PLURAL, "pytorchjobs"));
    }

    private static CarrierKind carrier(Cursor in) {
        in.only(CARRIER);
        Cursor handsOn = in.at("handsOn").only("labels", "annotations");
        return new CarrierKind(
                name(in), handsOn.path("labels"), handsOn.path("annotations"), rules(in, "refuse"), rules(in, "warn"));
    }

    private static GangKind gang(Cursor in) {
        in.only(GANG);
        Cursor status = in.at("status").only("suspended", "succeeded", "failed", "active");
        List<PodSetRule> podsets =
                in.list("podsets").stream().map(KindReader::podset).toList();
        if (podsets.isEmpty()) {
            in.at("podsets")
                    .problem("a gang needs a pod template", "Maybe write - {name: main, template: spec.template}");
        }
        Signal suspended = signal(status, "suspended");
        if (suspended == null) {
            status.at("suspended").problem("is missing", "Maybe write {condition: Suspended}");
        }
        List<FieldPath> active =
                status.list("active").stream().map(KindReader::path).toList();
        if (!in.at("sample").node().isObject()) {
            in.at("sample").problem("is missing: a dry run creates it", "Maybe write an object with a spec");
        }
        JsonNode sample =
                in.at("sample").node().isObject() ? in.at("sample").node() : JsonNodeFactory.instance.objectNode();
        return new GangKind(
                name(in),
                makers(in),
                in.path("suspend"),
                podsets,
                in.pathOrNone("deadline"),
                suspended == null ? new Signal.Condition("Suspended") : suspended,
                signal(status, "succeeded"),
                signal(status, "failed"),
                active,
                in.list("owners").stream()
                        .map(owner -> name(owner.only("group", "version", "kind", "plural")))
                        .toList(),
                rules(in, "refuse"),
                rules(in, "warn"),
                sample);
    }

    private static List<String> makers(Cursor in) {
        List<String> makers = in.texts("makers");
        if (makers.isEmpty()) {
            in.at("makers")
                    .problem(
                            "is missing: who makes the pods",
                            "Maybe write [system:serviceaccount:NAMESPACE:NAME] of the controller");
        }
        makers.stream()
                .filter(maker -> maker.contains("'") || maker.contains("\\"))
                .forEach(maker -> in.at("makers").problem("is no user name: " + maker, ""));
        return makers;
    }

    private static PodSetRule podset(Cursor in) {
        in.only("name", "each", "template", "count", "pods", "index", "indexedIf");
        Each each = null;
        if (in.has("each")) {
            Cursor from = in.at("each").only("map", "list", "name");
            boolean isMap = from.has("map");
            if (isMap == from.has("list")) {
                from.problem("needs either map or list", "Maybe write {map: spec.replicaSpecs}");
            }
            each = new Each(from.path(isMap ? "map" : "list"), isMap ? "" : from.required("name", FIELD, "name"));
        }
        List<Count> counts =
                new ArrayList<>(in.list("count").stream().map(KindReader::count).toList());
        if (counts.isEmpty()) {
            counts.add(new Count(null, 1, null, null));
        }
        List<String> index = in.texts("index");
        if (!index.isEmpty() && index.size() != counts.size()) {
            in.at("index")
                    .problem("has " + index.size() + " labels for " + counts.size() + " counts: one for each", "");
        }
        if (each != null && in.has("name")) {
            in.at("name").problem("each podset is named by its own", "Maybe remove it");
        }
        return new PodSetRule(
                each == null ? in.required("name", PODSET, "worker") : "",
                each,
                in.path("template"),
                counts,
                in.map("pods"),
                index,
                in.has("indexedIf") ? test(in.at("indexedIf").only("field", "values", "unless")) : null);
    }

    private static Count count(Cursor in) {
        in.only("field", "default", "atMost", "atLeast");
        return new Count(
                in.path("field"), in.number("default", 1, 0), in.pathOrNone("atMost"), in.pathOrNone("atLeast"));
    }

    private static @Nullable Signal signal(Cursor status, String name) {
        if (!status.has(name)) {
            return null;
        }
        Cursor in = status.at(name).only("condition", "field", "values");
        if (in.has("condition") == in.has("field")) {
            in.problem("needs either condition or field", "Maybe write {condition: Suspended}");
            return new Signal.Condition("");
        }
        return in.has("condition")
                ? new Signal.Condition(in.optional("condition"))
                : new Signal.Field(in.path("field"), in.texts("values"));
    }

    private static FieldTest test(Cursor in) {
        if (in.has("values") == in.has("unless")) {
            in.problem("needs either values or unless", "Maybe write values: [\"true\"]");
        }
        boolean unless = in.has("unless");
        return new FieldTest(in.path("field"), in.texts(unless ? "unless" : "values"), unless);
    }

    private static List<FieldRule> rules(Cursor in, String field) {
        return in.list(field).stream()
                .map(rule -> {
                    rule.only("field", "values", "unless", "because", "cure");
                    return new FieldRule(test(rule), rule.optional("because"), rule.optional("cure"));
                })
                .toList();
    }

    private static FieldPath path(Cursor in) {
        try {
            return FieldPath.parse(in.node().asText(""));
        } catch (IllegalArgumentException noPath) {
            in.problem("is no path: " + in.node(), "Maybe " + noPath.getMessage());
            return new FieldPath(List.of("unknown"));
        }
    }

    private static String[] with(String[] some, String... more) {
        List<String> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(new String[0]);
    }
}
