package dev.muster.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.List;
import java.util.Set;

/**
 * Keeps the labels of HTTP requests few. A stranger who asks with made-up methods, or with known paths and a wrong method,
 * would else add a series with each request, and the names of jobs in those paths would be told.
 */
public final class RequestLabels implements MeterFilter {
    private static final String OTHER = "OTHER";
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "OPTIONS");

    private final Set<String> paths;

    /** {@code paths} that are told apart, as templates: {@code /api/v1/queues/{name}}. */
    public RequestLabels(Set<String> paths) {
        this.paths = Set.copyOf(paths);
    }

    @Override
    public Meter.Id map(Meter.Id id) {
        if (!id.getName().startsWith("http.server")) {
            return id;
        }
        List<Tag> few = id.getTags().stream().map(this::few).toList();
        return id.replaceTags(few);
    }

    private Tag few(Tag tag) {
        return switch (tag.getKey()) {
            case "method" -> METHODS.contains(tag.getValue()) ? tag : Tag.of("method", OTHER);
            case "uri" -> paths.contains(tag.getValue()) ? tag : Tag.of("uri", OTHER);
            default -> tag;
        };
    }
}
