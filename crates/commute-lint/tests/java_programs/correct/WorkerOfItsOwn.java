// Each worker is a thread of its own, and each sweep is made for one executor:
// nobody else runs them.
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class WorkerOfItsOwn {
    private int sweeps;

    public void start(ScheduledExecutorService executor, int count) {
        for (int at = 0; at < count; at++) {
            new Worker().start();
        }
        executor.scheduleWithFixedDelay(new Sweep(), 1, 1, TimeUnit.SECONDS);
    }

    public void run(ScheduledExecutorService executor, Runnable other) {
        executor.execute(other);
    }

    synchronized void sweep() {
        sweeps++;
    }

    private static class Worker extends Thread {
        private final Object lock = new Object();
        private volatile long last;
        private long busy;

        @Override
        public void run() {
            long now = System.nanoTime();
            if (now > last) {
                last = now;
            }
            long before;
            synchronized (lock) {
                before = busy;
            }
            synchronized (lock) {
                busy = before + 1;
            }
        }
    }

    private class Sweep implements Runnable {
        private volatile long previous;

        @Override
        public void run() {
            long now = System.nanoTime();
            if (now > previous) {
                previous = now;
            }
            sweep();
        }
    }
}
