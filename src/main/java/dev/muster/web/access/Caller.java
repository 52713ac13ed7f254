package dev.muster.web.access;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An account of the cluster, as the API server knows it by a token: what its rights are asked with. */
public record Caller(String user, String uid, List<String> groups, Map<String, List<String>> extra) {
    public Caller {
        groups = List.copyOf(groups);
        extra = Map.copyOf(new TreeMap<>(extra));
    }
}
