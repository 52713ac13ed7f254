package dev.muster.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.core.model.GangState;
import dev.muster.engine.Views;
import dev.muster.engine.Views.GangView;
import dev.muster.web.access.Reach;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the page shows, in sections; each is sent when it has changed. A refresh asks the engine once for each reach that
 * somebody listens with, and asks nothing when nobody does. A newcomer gets all sections as of the last refresh, then the
 * changes; when the last one failed, or nobody of that reach was listening, it gets nothing before the next that does not
 * fail: never old news as if new.
 */
public final class LiveFeed {
    private static final int SHOWN = 60;
    /** Updates that a slow listener may be behind; then it is cut off, and comes back for the whole. */
    private static final int BEHIND = 64;
    /** Listeners at the same time: each costs memory, and each reach questions. */
    private static final int MOST_LISTENERS = 200;

    private final Views views;
    private final ClusterInfo info;
    private final ObjectMapper json;
    /** Guarded by itself, with all that is in it. */
    private final Map<Reach, Channel> channels = new LinkedHashMap<>();

    /** One section's new content, as JSON. */
    public record Update(String section, String content) {}

    /** Those that see the same, and what they saw last. */
    private static final class Channel {
        final Map<String, String> last = new LinkedHashMap<>();
        final List<MultiEmitter<? super Update>> listeners = new ArrayList<>();
    }

    public LiveFeed(Views views, ClusterInfo info, ObjectMapper json) {
        this.views = views;
        this.info = info;
        this.json = json;
    }

    /**
     * All sections, with the gangs of this reach, then their changes, until the listener leaves.
     *
     * @throws jakarta.ws.rs.WebApplicationException 503 when too many listen already
     */
    public Multi<Update> updates(Reach reach) {
        synchronized (channels) {
            int listening = channels.values().stream()
                    .mapToInt(of -> of.listeners.size())
                    .sum();
            if (listening >= MOST_LISTENERS) {
                throw ProblemJson.unavailable(
                        MOST_LISTENERS + " streams are open, and no more are served. Maybe close a page.");
            }
        }
        return Multi.createFrom()
                .emitter(
                        emitter -> {
                            synchronized (channels) {
                                Channel channel = channels.computeIfAbsent(reach, made -> new Channel());
                                channel.last.forEach((section, text) -> emitter.emit(new Update(section, text)));
                                channel.listeners.add(emitter);
                            }
                            emitter.onTermination(() -> leave(reach, emitter));
                        },
                        BEHIND);
    }

    /**
     * Asks the engine and sends what has changed; to be called twice a second.
     *
     * @throws IllegalStateException if the engine does not answer
     */
    public void refresh() {
        List<Reach> reaches;
        synchronized (channels) {
            reaches = List.copyOf(channels.keySet());
        }
        if (reaches.isEmpty()) {
            return;
        }
        try {
            Map<String, Object> common = common();
            Gpus gpus = new Gpus(views.gpuResources());
            for (Reach reach : reaches) {
                Map<String, Object> sections = new LinkedHashMap<>(common);
                Shown shown = new Shown(views, reach);
                sections.put("waiting", jobs(shown.gangs(null, GangState.WAITING, SHOWN), gpus));
                sections.put("active", jobs(shown.active(null, SHOWN), gpus));
                publish(reach, sections);
            }
        } catch (RuntimeException e) {
            synchronized (channels) {
                channels.values().forEach(channel -> channel.last.clear());
            }
            throw e;
        }
    }

    private Map<String, Object> common() {
        Map<String, Object> sections = new LinkedHashMap<>();
        sections.put("about", info.about());
        sections.put("nodeclasses", views.nodeClasses());
        sections.put("queues", views.queues());
        return sections;
    }

    private static List<JobJson> jobs(List<GangView> gangs, Gpus gpus) {
        return gangs.stream().map(gang -> JobJson.of(gang, gpus)).toList();
    }

    private void publish(Reach reach, Map<String, Object> sections) {
        synchronized (channels) {
            Channel channel = channels.get(reach);
            if (channel == null) {
                return; // the last listener has left meanwhile
            }
            sections.forEach((section, content) -> {
                String text = text(content);
                if (!text.equals(channel.last.put(section, text))) {
                    Update update = new Update(section, text);
                    List.copyOf(channel.listeners).forEach(listener -> listener.emit(update));
                }
            });
        }
    }

    private String text(Object content) {
        try {
            return json.writeValueAsString(content);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the page's content cannot be written", e);
        }
    }

    private void leave(Reach reach, MultiEmitter<? super Update> emitter) {
        synchronized (channels) {
            Channel channel = channels.get(reach);
            if (channel != null) {
                channel.listeners.remove(emitter);
                if (channel.listeners.isEmpty()) {
                    channels.remove(reach);
                }
            }
        }
    }
}
