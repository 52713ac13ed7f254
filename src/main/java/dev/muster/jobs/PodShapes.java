package dev.muster.jobs;

import dev.muster.core.model.LabelDemand;
import dev.muster.core.model.NodeTerm;
import dev.muster.core.model.Taint;
import dev.muster.core.model.Toleration;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pod spec says about the nodes it accepts: selector and required affinity as node terms, and its tolerations. */
public final class PodShapes {
    private static final String NAME_FIELD = "metadata.name";

    private PodShapes() {}

    /** Node terms of which one must hold; none means any node. A term without demands matches no node and is left out. */
    public static List<NodeTerm> terms(PodSpec spec, String at, Problems problems) {
        List<LabelDemand> always = new ArrayList<>();
        Present.in(spec.getNodeSelector()).forEach((key, value) -> always.add(LabelDemand.equal(key, value)));
        if (spec.getAffinity() == null
                || spec.getAffinity().getNodeAffinity() == null
                || spec.getAffinity().getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution() == null) {
            return always.isEmpty() ? List.of() : List.of(new NodeTerm(always, List.of()));
        }
        String field = at + ".affinity.nodeAffinity";
        List<NodeTerm> terms = new ArrayList<>();
        for (NodeSelectorTerm term : Present.in(spec.getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms())) {
            NodeTerm read = term(term, always, field, problems);
            if (read != null) {
                terms.add(read);
            }
        }
        if (terms.isEmpty()) {
            problems.add(field + " has no term that a node can match. Maybe remove it");
        }
        return terms;
    }

    private static @Nullable NodeTerm term(
            NodeSelectorTerm term, List<LabelDemand> always, String field, Problems problems) {
        List<NodeSelectorRequirement> expressions = Present.in(term.getMatchExpressions());
        List<NodeSelectorRequirement> fields = Present.in(term.getMatchFields());
        if (expressions.isEmpty() && fields.isEmpty()) {
            return null;
        }
        List<LabelDemand> labels = new ArrayList<>(always);
        expressions.forEach(
                e -> labels.add(new LabelDemand(e.getKey(), operator(e, field, problems), Present.in(e.getValues()))));
        List<String> names = null;
        for (NodeSelectorRequirement e : fields) {
            if (!NAME_FIELD.equals(e.getKey()) || !"In".equals(e.getOperator())) {
                problems.add(
                        field,
                        e.getKey() + " " + e.getOperator(),
                        "matchFields is read as metadata.name In only",
                        "use matchExpressions on the label kubernetes.io/hostname");
            }
            List<String> values = Present.in(e.getValues());
            names = names == null
                    ? values
                    : names.stream().filter(values::contains).toList();
        }
        boolean noNode = names != null && names.isEmpty();
        return noNode ? null : new NodeTerm(labels, names == null ? List.of() : names);
    }

    private static LabelDemand.Operator operator(NodeSelectorRequirement requirement, String field, Problems problems) {
        String operator = requirement.getOperator() == null ? "" : requirement.getOperator();
        return switch (operator) {
            case "In" -> LabelDemand.Operator.IN;
            case "NotIn" -> LabelDemand.Operator.NOT_IN;
            case "Exists" -> LabelDemand.Operator.EXISTS;
            case "DoesNotExist" -> LabelDemand.Operator.DOES_NOT_EXIST;
            case "Gt" -> LabelDemand.Operator.GREATER;
            case "Lt" -> LabelDemand.Operator.LESS;
            default -> {
                problems.add(field, operator, "that is no operator", "In, NotIn, Exists, DoesNotExist, Gt or Lt");
                yield LabelDemand.Operator.EXISTS;
            }
        };
    }

    /** Tolerations of the pod. */
    public static List<Toleration> tolerations(@Nullable List<io.fabric8.kubernetes.api.model.Toleration> given) {
        return Present.in(given).stream().map(PodShapes::toleration).toList();
    }

    private static Toleration toleration(io.fabric8.kubernetes.api.model.Toleration given) {
        String key = given.getKey() == null || given.getKey().isEmpty() ? null : given.getKey();
        String value = "Exists".equals(given.getOperator()) ? null : given.getValue() == null ? "" : given.getValue();
        return new Toleration(key, value, effect(given.getEffect()));
    }

    /** The effect of a taint or toleration; null for none, or one that this version does not know. */
    static Taint.@Nullable Effect effect(@Nullable String wireName) {
        if (wireName == null) {
            return null;
        }
        return switch (wireName) {
            case "NoSchedule" -> Taint.Effect.NO_SCHEDULE;
            case "PreferNoSchedule" -> Taint.Effect.PREFER_NO_SCHEDULE;
            case "NoExecute" -> Taint.Effect.NO_EXECUTE;
            default -> null;
        };
    }
}
