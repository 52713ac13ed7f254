package dev.muster.kube;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Runs tasks of different keys in parallel on an executor, and those of one key one after the other as they came. */
final class InOrder {
    private final Executor executor;
    private final Map<String, Queue<Runnable>> waiting = new HashMap<>();

    InOrder(Executor executor) {
        this.executor = executor;
    }

    /** Runs the task now or after the earlier ones of its key. A task must not throw. */
    void run(String key, Runnable task) {
        synchronized (waiting) {
            Queue<Runnable> behind = waiting.get(key);
            if (behind != null) {
                behind.add(task);
                return;
            }
            waiting.put(key, new ArrayDeque<>(0));
        }
        executor.execute(() -> drain(key, task));
    }

    /** Keys with a task that is running or waiting. */
    int busy() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    private void drain(String key, Runnable first) {
        Runnable task = first;
        while (task != null) {
            try {
                task.run();
            } finally {
                task = next(key);
            }
        }
    }

    private @Nullable Runnable next(String key) {
        synchronized (waiting) {
            Queue<Runnable> behind = waiting.get(key);
            Runnable task = behind == null ? null : behind.poll();
            if (task == null) {
                waiting.remove(key);
            }
            return task;
        }
    }
}
