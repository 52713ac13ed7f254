package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.kinds.GangKind;
import dev.muster.kinds.PodSetRule;
import dev.muster.kinds.PodSetRule.Count;
import dev.muster.kinds.PodSetRule.Each;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One podset of one job, as its kind's rule finds it there.
 *
 * @param key its name as written in the job
 * @param root where the rule's paths begin
 * @param at path of that, for messages; empty for the job itself
 */
record Expanded(PodSetRule rule, String key, JsonNode root, String at) {
    /** All podsets of a job, in the order of the descriptor, then of the job. */
    static List<Expanded> of(GangKind kind, JsonNode job) {
        List<Expanded> all = new ArrayList<>();
        for (PodSetRule rule : kind.podsets()) {
            Each each = rule.each();
            if (each == null) {
                all.add(new Expanded(rule, rule.name(), job, ""));
            } else if (each.isMap()) {
                // by name: the API server keeps no order of a map's keys
                TreeMap<String, JsonNode> byName = new TreeMap<>();
                each.path().in(job).properties().forEach(entry -> byName.put(entry.getKey(), entry.getValue()));
                byName.forEach((key, root) -> all.add(new Expanded(rule, key, root, each.path() + "." + key)));
            } else {
                JsonNode list = each.path().in(job);
                for (int i = 0; i < list.size(); i++) {
                    JsonNode root = list.path(i);
                    all.add(new Expanded(rule, root.path(each.name()).asText(), root, each.path() + "[" + i + "]"));
                }
            }
        }
        return all;
    }

    /** Name of the podset. */
    String name() {
        return key.toLowerCase(Locale.ROOT);
    }

    /** Path of one of the rule's fields, for messages. */
    String path(String field) {
        return at.isEmpty() ? field : at + "." + field;
    }

    JsonNode template() {
        return rule.template().in(root);
    }

    /** The factors of the number of members, each 0 or more; one that cannot be read is noted, and 0. */
    List<Integer> factors(Problems problems) {
        return rule.counts().stream().map(count -> factor(count, problems)).toList();
    }

    private int factor(Count count, Problems problems) {
        if (count.field() == null) {
            return count.byDefault();
        }
        int factor = number(
                count.field().in(root), count.byDefault(), path(count.field().text()), problems);
        if (count.atMost() != null) {
            factor = Math.min(
                    factor,
                    number(count.atMost().in(root), factor, path(count.atMost().text()), problems));
        }
        if (count.atLeast() != null) {
            factor = Math.max(
                    factor,
                    number(
                            count.atLeast().in(root),
                            factor,
                            path(count.atLeast().text()),
                            problems));
        }
        return factor;
    }

    private static int number(JsonNode node, int byDefault, String at, Problems problems) {
        if (node.isMissingNode() || node.isNull()) {
            return byDefault;
        }
        if (!node.isIntegralNumber() || !node.canConvertToInt() || node.asInt() < 0) {
            problems.add(at, node.asText(), "that is no number of pods", "");
            return 0;
        }
        return node.asInt();
    }

    /** Whether each member has a number, from 0 to below the product of the factors. */
    boolean ranked() {
        if (rule.index().isEmpty()
                || rule.indexedIf() != null && !rule.indexedIf().holds(root)) {
            return false;
        }
        for (Count count : rule.counts()) {
            if (count.field() != null && count.atMost() != null) {
                JsonNode bound = count.atMost().in(root);
                JsonNode number = count.field().in(root);
                if (bound.isMissingNode() || bound.asLong() > number.asLong(count.byDefault())) {
                    return false; // then numbers go beyond those that run at the same time
                }
            }
        }
        return true;
    }

    /** Whether a pod with these labels is a member. */
    boolean has(Map<String, String> labels) {
        return rule.pods().entrySet().stream()
                .allMatch(entry -> entry.getValue()
                        .replace("{key}", key)
                        .replace("{name}", name())
                        .equals(labels.get(entry.getKey())));
    }

    /** The member's number; null when it has none that can be read. */
    @Nullable
    Integer rank(JsonNode pod) {
        if (!ranked()) {
            return null;
        }
        List<Integer> factors = factors(new Problems());
        long rank = 0;
        for (int i = 0; i < factors.size(); i++) {
            String text = mark(pod, rule.index().get(i));
            if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) >= factors.get(i)) {
                return null;
            }
            rank = rank * factors.get(i) + Integer.parseInt(text);
        }
        return rank > Integer.MAX_VALUE ? null : (int) rank;
    }

    private static String mark(JsonNode pod, String key) {
        JsonNode label = pod.path("metadata").path("labels").path(key);
        return label.isTextual()
                ? label.asText()
                : pod.path("metadata").path("annotations").path(key).asText();
    }
}
