// A task that runs again and again writes back an old generation.
//@ finding: ScheduledRefresh
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class ScheduledRefresh {
    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(1);
    private long generation;

    public void begin() {
        executor.scheduleAtFixedRate(this::refresh, 0, 1, TimeUnit.SECONDS);
    }

    public synchronized void bump() {
        generation++;
    }

    private void refresh() {
        //@ before
        long seen;
        synchronized (this) {
            seen = generation;
        }
        long next = seen * 2;
        synchronized (this) {
            generation = next;
        }
        //@ after
        synchronized (this) {
            generation = generation * 2;
        }
        //@ end
    }
}
