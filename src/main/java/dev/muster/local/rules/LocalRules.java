package dev.muster.local.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the API server refuses by itself: schemas and rules of the custom resources, and admission policies.
 *
 * @param resources by kind
 */
public record LocalRules(Map<String, CustomResourceRules> resources, AdmissionPolicies policies) {
    public LocalRules {
        resources = Map.copyOf(resources);
    }

    /**
     * The rules that stand in the files which a cluster gets too.
     *
     * @param definitions texts of CustomResourceDefinitions
     * @param policies texts with admission policies, of one or more documents each
     * @throws IllegalArgumentException if a text is no YAML, or a rule no CEL that is known here
     */
    public static LocalRules read(Collection<String> definitions, Collection<String> policies) {
        Cel cel = new Cel("self", "object", "oldObject", "request", "variables"); // one for all: it is slow to make
        Map<String, CustomResourceRules> resources = new HashMap<>();
        for (String text : definitions) {
            for (ObjectNode definition : documents(text)) {
                CustomResourceRules rules = new CustomResourceRules(definition, cel);
                resources.put(rules.kind(), rules);
            }
        }
        List<ObjectNode> objects = new ArrayList<>();
        policies.forEach(text -> objects.addAll(documents(text)));
        return new LocalRules(resources, new AdmissionPolicies(objects, cel));
    }

    private static List<ObjectNode> documents(String text) {
        List<ObjectNode> documents = new ArrayList<>();
        try (MappingIterator<JsonNode> all =
                new YAMLMapper().readerFor(JsonNode.class).readValues(text)) {
            while (all.hasNextValue()) {
                if (all.nextValue() instanceof ObjectNode object) {
                    documents.add(object);
                }
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no YAML: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e.getMessage(), e);
        }
        return documents;
    }
}
