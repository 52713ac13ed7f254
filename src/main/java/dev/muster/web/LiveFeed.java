package dev.muster.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.core.model.GangState;
import dev.muster.engine.Views;
import dev.muster.engine.Views.GangView;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the page shows, in sections; each is sent when it has changed. A refresh asks the engine once, whoever listens,
 * and asks nothing when nobody does. A newcomer gets all sections as of the last refresh, then the changes; when the last
 * one failed, or nobody was listening, it gets nothing before the next that does not fail: never old news as if new.
 */
public final class LiveFeed {
    private static final int SHOWN = 60;
    /** Updates that a slow listener may be behind; then it is cut off, and comes back for the whole. */
    private static final int BEHIND = 64;

    private final Views views;
    private final ClusterInfo info;
    private final ObjectMapper json;
    private final Map<String, String> last = new LinkedHashMap<>();
    private final List<MultiEmitter<? super Update>> listeners = new ArrayList<>();

    /** One section's new content, as JSON. */
    public record Update(String section, String content) {}

    public LiveFeed(Views views, ClusterInfo info, ObjectMapper json) {
        this.views = views;
        this.info = info;
        this.json = json;
    }

    /** All sections, then their changes, until the listener leaves. */
    public Multi<Update> updates() {
        return Multi.createFrom()
                .emitter(
                        emitter -> {
                            synchronized (last) {
                                last.forEach((section, content) -> emitter.emit(new Update(section, content)));
                                listeners.add(emitter);
                            }
                            emitter.onTermination(() -> leave(emitter));
                        },
                        BEHIND);
    }

    /**
     * Asks the engine and sends what has changed; to be called twice a second.
     *
     * @throws IllegalStateException if the engine does not answer
     */
    public void refresh() {
        synchronized (last) {
            if (listeners.isEmpty()) {
                return;
            }
        }
        try {
            publish(sections());
        } catch (RuntimeException e) {
            synchronized (last) {
                last.clear();
            }
            throw e;
        }
    }

    private Map<String, Object> sections() {
        Map<String, Object> sections = new LinkedHashMap<>();
        sections.put("about", info.about());
        Gpus gpus = new Gpus(views.gpuResources());
        sections.put("nodeclasses", views.nodeClasses());
        sections.put("queues", views.queues());
        sections.put("waiting", jobs(views.gangs(null, GangState.WAITING, SHOWN), gpus));
        sections.put("active", jobs(new Shown(views).active(null, SHOWN), gpus));
        return sections;
    }

    private static List<JobJson> jobs(List<GangView> gangs, Gpus gpus) {
        return gangs.stream().map(gang -> JobJson.of(gang, gpus)).toList();
    }

    private void publish(Map<String, Object> sections) {
        synchronized (last) {
            sections.forEach((section, content) -> {
                String text = text(content);
                if (!text.equals(last.put(section, text))) {
                    Update update = new Update(section, text);
                    List.copyOf(listeners).forEach(listener -> listener.emit(update));
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

    private void leave(MultiEmitter<? super Update> emitter) {
        synchronized (last) {
            listeners.remove(emitter);
            if (listeners.isEmpty()) {
                last.clear();
            }
        }
    }
}
