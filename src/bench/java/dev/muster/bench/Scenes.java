package dev.muster.bench;

import java.util.Random;

/** The scenes of the benchmarks, settled and led. */
final class Scenes {
    static final int QUEUES = 1_000;

    private Scenes() {}

    /**
     * 500 nodes of 8, each with a firm gang of one GPU and one of 7 GPUs. The first queue owns what the gangs of 7 use: they
     * are of the second one and may be stopped for it, or they are its own and firm.
     */
    static Scene full(boolean borrowed) {
        Scene scene = new Scene(500, 8, 3);
        scene.queue(0, 500 * 7);
        scene.queue(1, 0);
        scene.queue(2, 500);
        scene.lead();
        for (int i = 0; i < 500; i++) {
            scene.submit(scene.gang(borrowed ? 1 : 0, Scene.podsets(1, 7, 1_000, null), borrowed));
        }
        scene.settle();
        for (int i = 0; i < 500; i++) {
            scene.submit(scene.gang(2, Scene.podsets(1, 1, 1_000, null), false));
        }
        scene.settle();
        for (int i = 0; i < 44; i++) { // so that the first queue is due all that it has lent
            scene.submit(scene.gang(0, Scene.podsets(10, 8, 2_000, null), true));
        }
        scene.now += 3 * Scene.HOUR;
        scene.settle();
        return scene;
    }

    /** 2,000 nodes of 8, all taken: by 700 interruptible gangs on lent quota, and by firm ones. The first queue lends. */
    static Scene lent() {
        Scene scene = new Scene(2_000, 8, 3);
        scene.queue(0, 700 * 8);
        scene.queue(1, 0);
        scene.queue(2, 1_300 * 8);
        scene.lead();
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            boolean borrows = i * 7 / 20 != (i + 1) * 7 / 20;
            scene.submit(scene.gang(borrows ? 1 : 2, Scene.podsets(1, 8, 1_000 + random.nextInt(3), null), borrows));
            if (i % 50 == 49) {
                scene.now += 60 * Scene.SECOND;
                scene.settle();
            }
        }
        scene.now += Scene.HOUR;
        scene.settle();
        return scene;
    }

    /** 10,000 nodes of 8, all taken, 1,000 queues, and so many waiting jobs of 10 shapes of 1 to 8 GPUs. */
    static Scene busy(int waiting) {
        Scene scene = new Scene(10_000, 8, QUEUES);
        scene.lead();
        scene.shapes(1, 8);
        scene.submit(10_000, QUEUES, false);
        scene.settle();
        scene.shapes(10, 1, 2, 4, 8);
        scene.submit(waiting, QUEUES, false);
        scene.settle();
        return scene;
    }
}
