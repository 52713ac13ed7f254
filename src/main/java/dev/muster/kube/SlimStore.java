package dev.muster.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An informer's store that keeps of each object only what {@code keep} leaves. Handlers get the object as it came.
 *
 * @param <V> kind of the objects
 */
final class SlimStore<V extends HasMetadata> implements ItemStore<V> {
    private final ConcurrentHashMap<String, V> items = new ConcurrentHashMap<>();
    private final UnaryOperator<V> keep;

    SlimStore(UnaryOperator<V> keep) {
        this.keep = keep;
    }

    @Override
    public @Nullable V put(String key, V item) {
        return items.put(key, keep.apply(item));
    }

    @Override
    public @Nullable V remove(String key) {
        return items.remove(key);
    }

    @Override
    public @Nullable V get(String key) {
        return items.get(key);
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<V> values() {
        return items.values().stream();
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public String getKey(V item) {
        return Cache.metaNamespaceKeyFunc(item);
    }

    /** Not the full state: so the informer hands out first-listed objects as they came, not as they are kept. */
    @Override
    public boolean isFullState() {
        return false;
    }
}
