package dev.muster.kube;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Tasks that wait for news of an object, for a bounded time. */
final class Parking implements AutoCloseable {
    private final Map<String, Runnable> parked = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "muster-parking");
        made.setDaemon(true);
        return made;
    });

    /** Runs the task when {@link #news} comes of the object, or after so many milliseconds. It must be quick. */
    void park(String uid, long millis, Runnable task) {
        parked.put(uid, task);
        thread.schedule(
                () -> {
                    if (parked.remove(uid, task)) {
                        task.run();
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    /** Runs what waits for this object, in the caller's thread. */
    void news(String uid) {
        Runnable task = parked.remove(uid);
        if (task != null) {
            task.run();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
