package dev.muster.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watch of one kind over the whole cluster, which never gives up: an outage, a missing right or an expired version only
 * makes it try again. Lists are paged and consistent, never from the API server's cache.
 *
 * @param <T> kind of the objects
 */
final class Watch<T extends HasMetadata> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
    private static final long PAGE = 500L;

    private final String name;
    private final Supplier<FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, Resource<T>>> everywhere;
    private final @Nullable String label;
    private final Consumer<T> slim;
    private final UnaryOperator<T> keep;
    private final Watched<T> watched;
    private @Nullable SharedIndexInformer<T> informer;

    /**
     * A watch that is not started yet.
     *
     * @param name plural of the kind, for people and metrics
     * @param label only objects that carry this label; null for all
     * @param slim drops in place what nobody reads, as soon as an object arrives
     * @param keep what is remembered of an object
     */
    Watch(
            String name,
            KubernetesClient client,
            Class<T> type,
            @Nullable String label,
            Consumer<T> slim,
            UnaryOperator<T> keep,
            Watched.Sink<T> sink) {
        this(name, () -> client.resources(type).inAnyNamespace(), label, slim, keep, sink);
    }

    /** As the other one, of objects that the client has no class for. */
    Watch(
            String name,
            Supplier<FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, Resource<T>>> everywhere,
            @Nullable String label,
            Consumer<T> slim,
            UnaryOperator<T> keep,
            Watched.Sink<T> sink) {
        this.name = name;
        this.everywhere = everywhere;
        this.label = label;
        this.slim = slim;
        this.keep = keep;
        this.watched = new Watched<>(keep, sink);
    }

    String name() {
        return name;
    }

    Watched<T> watched() {
        return watched;
    }

    /** Begins to list and watch; returns at once. */
    void start() {
        SharedIndexInformer<T> made = selected()
                .withLimit(PAGE)
                .runnableInformer(0)
                .removeNamespaceIndex()
                .itemStore(new SlimStore<>(object -> {
                    slim.accept(object);
                    return keep.apply(object);
                }))
                .exceptionHandler((started, failure) -> {
                    LOG.warn("the watch of {} failed and is tried again: {}", name, failure.getMessage());
                    return true;
                });
        made.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                watched.observe(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                watched.observe(object);
            }

            @Override
            public void onDelete(T object, boolean unknown) {
                watched.lost(object);
            }
        });
        informer = made;
        made.start();
    }

    /** Whether the first list is in and the watch is up now. */
    boolean isUp() {
        SharedIndexInformer<T> started = informer;
        return started != null && started.hasSynced() && started.isWatching();
    }

    /** Lists everything anew, consistently, and passes it on. Throws what the client throws. */
    void relist() {
        Set<String> uids = new HashSet<>();
        String from = null;
        KubernetesResourceList<T> page;
        do {
            ListOptions options =
                    new ListOptionsBuilder().withLimit(PAGE).withContinue(from).build();
            page = selected().list(options);
            for (T object : page.getItems()) {
                uids.add(object.getMetadata().getUid());
                observe(object);
            }
            from = page.getMetadata().getContinue();
        } while (from != null && !from.isEmpty());
        watched.listed(uids, page.getMetadata().getResourceVersion());
    }

    /** Takes news that came by another way than the watch: a list, or the answer to a write. */
    void observe(T object) {
        slim.accept(object);
        watched.observe(object);
    }

    private FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, Resource<T>> selected() {
        var all = everywhere.get();
        return label == null ? all : all.withLabel(label);
    }

    @Override
    public void close() {
        SharedIndexInformer<T> started = informer;
        if (started != null) {
            started.close();
        }
    }
}
