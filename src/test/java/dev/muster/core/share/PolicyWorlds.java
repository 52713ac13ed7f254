package dev.muster.core.share;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Small worlds with the answers of an independent model of the policy. */
public final class PolicyWorlds {
    private PolicyWorlds() {}

    /** A world and what is true in it. */
    public record Case(
            String name,
            World world,
            Map<String, List<Long>> due,
            Map<String, String> coveredAt,
            List<String> admissible,
            List<String> evictions) {
        @Override
        public String toString() {
            return name;
        }
    }

    public static Stream<Case> all() {
        return Stream.concat(read("policy-worlds.json"), read("policy-worlds-extra.json"));
    }

    private static Stream<Case> read(String file) {
        try (InputStream in = PolicyWorlds.class.getResourceAsStream("/policy/" + file)) {
            JsonNode worlds = new ObjectMapper().readTree(in);
            return IntStream.range(0, worlds.size()).mapToObj(i -> read(file + " " + i, worlds.get(i)));
        } catch (IOException unreadable) {
            throw new IllegalStateException("cannot read " + file, unreadable);
        }
    }

    private static Case read(String name, JsonNode json) {
        World world = new World(strings(json.get("resources")).toArray(String[]::new));
        for (JsonNode queue : json.get("queues")) {
            world.queue(
                    queue.get("name").asText(),
                    queue.get("parent").isNull() ? null : queue.get("parent").asText(),
                    queue.get("weight").asLong(),
                    longs(queue.get("nominal")).stream()
                            .mapToLong(amount -> amount)
                            .toArray(),
                    limit(queue.get("borrowingLimit")),
                    limit(queue.get("lendingLimit")),
                    0);
        }
        for (JsonNode gang : json.get("gangs")) {
            world.gang(
                    gang.get("name").asText(),
                    gang.get("queue").asText(),
                    gang.get("priority").asInt(),
                    gang.get("firm").asBoolean(),
                    longs(gang.get("charge")).stream()
                            .mapToLong(amount -> amount)
                            .toArray());
        }
        world.running(strings(json.get("running")));
        Map<String, List<Long>> due = new TreeMap<>();
        json.get("entitlement").properties().forEach(entry -> due.put(entry.getKey(), longs(entry.getValue())));
        Map<String, String> coveredAt = new TreeMap<>();
        json.get("coveredAt")
                .properties()
                .forEach(entry -> coveredAt.put(
                        entry.getKey(),
                        entry.getValue().isNull() ? "nowhere" : entry.getValue().asText()));
        List<String> evictions = new ArrayList<>();
        json.get("evictions")
                .forEach(eviction -> evictions.add(
                        eviction.get("gang").asText() + " evicts " + new TreeSet<>(strings(eviction.get("victims")))));
        String kills = json.has("kills") ? " (" + json.get("kills").asText() + ")" : "";
        return new Case(name + kills, world, due, coveredAt, strings(json.get("admissible")), evictions);
    }

    private static OptionalLong limit(JsonNode limit) {
        return limit.isNull() ? OptionalLong.empty() : OptionalLong.of(limit.asLong());
    }

    private static List<String> strings(JsonNode array) {
        List<String> values = new ArrayList<>();
        array.forEach(value -> values.add(value.asText()));
        return values;
    }

    private static List<Long> longs(JsonNode array) {
        List<Long> values = new ArrayList<>();
        array.forEach(value -> values.add(value.asLong()));
        return values;
    }
}
