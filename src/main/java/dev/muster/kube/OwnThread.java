package dev.muster.kube;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;

/** A worker with a thread of its own; what comes after its end is dropped. */
final class OwnThread implements Owners.Worker {
    private final ScheduledThreadPoolExecutor thread;

    OwnThread(String name) {
        thread = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread made = new Thread(task, name);
                    made.setDaemon(true);
                    return made;
                },
                new DiscardPolicy());
    }

    @Override
    public void run(Runnable task, long afterMillis) {
        thread.schedule(task, afterMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
