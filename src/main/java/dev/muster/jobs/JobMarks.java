package dev.muster.jobs;

import dev.muster.api.DurationText;
import dev.muster.api.Marks;
import dev.muster.core.model.Requirement;
import dev.muster.core.model.TopologyWish;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The labels and annotations that a user writes on a job, read; what cannot be read is noted. */
final class JobMarks {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern LABEL_KEY =
            Pattern.compile("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private final Map<String, String> labels;
    private final Map<String, String> annotations;
    private final Problems problems;
    private @Nullable Set<String> handedOutBy;

    JobMarks(ObjectMeta meta, Problems problems) {
        this.labels = labels(meta);
        this.annotations = annotations(meta);
        this.problems = problems;
    }

    static Map<String, String> labels(@Nullable ObjectMeta meta) {
        return meta == null ? Map.of() : Present.in(meta.getLabels());
    }

    static Map<String, String> annotations(@Nullable ObjectMeta meta) {
        return meta == null ? Map.of() : Present.in(meta.getAnnotations());
    }

    /** Name of the queue; empty, and noted, when there is none. */
    String queue() {
        String queue = labels.getOrDefault(Marks.QUEUE, "");
        if (!NAME.matcher(queue).matches()) {
            problems.add(label(Marks.QUEUE), queue, "that is no name of a queue", "give the name of a TeamQueue");
        }
        return queue;
    }

    boolean interruptible() {
        String value = labels.getOrDefault(Marks.INTERRUPTIBLE, "false");
        if (!value.equals("true") && !value.equals("false")) {
            problems.add(label(Marks.INTERRUPTIBLE), value, "that is neither true nor false", "write \"true\"");
        }
        return value.equals("true");
    }

    /** Of the class that the job names, else of the first class that a template names. */
    int priority(Surroundings surroundings, List<Template> templates) {
        String own = labels.get(Marks.PRIORITY_CLASS);
        Template naming = templates.stream()
                .filter(template -> !priorityClass(template).isEmpty())
                .findFirst()
                .orElse(null);
        String name = own != null ? own : naming == null ? "" : priorityClass(naming);
        if (name.isEmpty()) {
            return surroundings.defaultPriority();
        }
        OptionalInt value = surroundings.priority(name);
        if (value.isEmpty()) {
            String field = own != null || naming == null
                    ? label(Marks.PRIORITY_CLASS)
                    : naming.at() + ".spec.priorityClassName";
            problems.add(field, name, "there is no PriorityClass of this name", "see kubectl get priorityclasses");
        }
        return value.orElse(surroundings.defaultPriority());
    }

    /** The gang can run in these node classes only, which hand out the devices of its claims; null is no demand. */
    void only(@Nullable Set<String> nodeClasses) {
        Set<String> before = handedOutBy;
        if (before == null) {
            handedOutBy = nodeClasses;
        } else if (nodeClasses != null) {
            before.retainAll(nodeClasses);
        }
    }

    /** The classes that the job names, of those that can hand out its devices; all of these when it names none. */
    List<String> nodeClasses() {
        List<String> named = named();
        Set<String> only = handedOutBy;
        if (only == null) {
            return named;
        }
        List<String> both = named.isEmpty()
                ? List.copyOf(only)
                : named.stream().filter(only::contains).toList();
        if (both.isEmpty() && problems.isEmpty()) {
            problems.add("no node class that the job may use hands out all of its devices: "
                    + (named.isEmpty()
                            ? "its claims ask for different ones"
                            : String.join(", ", named) + " may be used")
                    + ". Maybe name the DeviceClass in spec.accelerator.deviceClasses of that GpuNodeClass");
        }
        return both;
    }

    private List<String> named() {
        String text = annotations.get(Marks.NODE_CLASSES);
        List<String> names = new ArrayList<>();
        if (text != null) {
            for (String part : text.split(",", -1)) {
                String name = part.strip();
                if (!NAME.matcher(name).matches()) {
                    problems.add(
                            annotation(Marks.NODE_CLASSES),
                            name,
                            "that is no name of a node class",
                            "write names with commas between: h100-sxm, a100-80g");
                } else if (!names.contains(name)) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    List<Requirement> requirements() {
        String text = annotations.get(Marks.REQUIRES);
        return text == null ? List.of() : Requirements.parse(annotation(Marks.REQUIRES), text, problems);
    }

    private static String priorityClass(Template template) {
        String name = template.pod().getPriorityClassName();
        return name == null ? "" : name;
    }

    /** {@code deadline}: seconds after which the job's own controller ends it; null when it does not. */
    OptionalLong maxRuntime(@Nullable Long deadline) {
        String text = annotations.get(Marks.MAX_RUNTIME);
        if (text != null) {
            try {
                long millis = DurationText.parse(text).toMillis();
                if (millis > 0) {
                    return OptionalLong.of(millis);
                }
                problems.add(
                        annotation(Marks.MAX_RUNTIME), text, "it could never run", "write it like 90s, 1h30m or 7d");
            } catch (IllegalArgumentException noDuration) {
                problems.add(
                        annotation(Marks.MAX_RUNTIME), text, "that is no duration", "write it like 90s, 1h30m or 7d");
            }
        }
        // beyond 10^12 s a deadline is none, and its milliseconds would not fit; at 0 the job's controller ends it at
        // once
        return deadline == null || deadline <= 0 || deadline > 1_000_000_000_000L
                ? OptionalLong.empty()
                : OptionalLong.of(deadline * 1000);
    }

    /** The wish of the template, else of the job; null when there is none. */
    @Nullable
    TopologyWish topology(Template template) {
        String ofTemplate = annotations(template.meta()).get(Marks.TOPOLOGY);
        String text = ofTemplate != null ? ofTemplate : annotations.get(Marks.TOPOLOGY);
        if (text == null) {
            return null;
        }
        String field = (ofTemplate != null ? template.at() + "." : "") + annotation(Marks.TOPOLOGY);
        int equals = text.indexOf('=');
        String kind = equals < 0 ? "" : text.substring(0, equals).strip();
        String level = text.substring(equals + 1).strip();
        boolean known = kind.equals("required") || kind.equals("preferred");
        if (!known || !LABEL_KEY.matcher(level).matches()) {
            problems.add(field, text, "that is no wish for topology", "write required=example.com/rack");
            return null;
        }
        return new TopologyWish(level, kind.equals("required"));
    }

    static String label(String key) {
        return "metadata.labels[" + key + "]";
    }

    static String annotation(String key) {
        return "metadata.annotations[" + key + "]";
    }
}
