package dev.muster.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.core.model.GangState;
import dev.muster.engine.Views;
import dev.muster.engine.Views.GangView;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the page shows, in sections; each is sent when it has changed. A refresh asks the engine once, whoever listens,
 * and asks nothing when nobody does. A newcomer gets all sections as they were last, then the changes.
 */
public final class LiveFeed {
    private static final int SHOWN = 60;
    private static final int LOOKED_AT = 1000;
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

    /** Asks the engine and sends what has changed; to be called twice a second. */
    public void refresh() {
        synchronized (last) {
            if (listeners.isEmpty()) {
                return;
            }
        }
        Map<String, Object> sections = new LinkedHashMap<>();
        sections.put("about", info.about());
        sections.put("queues", views.queues());
        sections.put("nodeclasses", views.nodeClasses());
        sections.put("waiting", jobs(views.gangs(null, GangState.WAITING, SHOWN)));
        sections.put("active", active());
        publish(sections);
    }

    private List<JobJson> active() {
        List<GangView> holding = new ArrayList<>(views.gangs(null, GangState.STOPPING, LOOKED_AT));
        holding.addAll(views.gangs(null, GangState.ADMITTED, LOOKED_AT));
        holding.addAll(views.gangs(null, GangState.RUNNING, LOOKED_AT));
        holding.sort(Comparator.comparingLong(LiveFeed::admittedAt)
                .reversed()
                .thenComparing(GangView::namespace)
                .thenComparing(GangView::name));
        return jobs(holding.subList(0, Math.min(SHOWN, holding.size())));
    }

    private static long admittedAt(GangView gang) {
        return gang.admission() == null ? 0 : gang.admission().admittedAt();
    }

    private static List<JobJson> jobs(List<GangView> gangs) {
        return gangs.stream().map(JobJson::of).toList();
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
        }
    }
}
