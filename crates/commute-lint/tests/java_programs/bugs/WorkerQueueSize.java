// The size of a queue is checked, then more is added.
//@ finding: WorkerQueueSize.submit
import java.util.concurrent.LinkedBlockingQueue;

public class WorkerQueueSize {
    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();

    public boolean submit(Runnable task) {
        //@ before
        if (queue.size() >= 100) {
            return false;
        }
        queue.add(task);
        return true;
        //@ after
        synchronized (this) {
            if (queue.size() >= 100) {
                return false;
            }
            queue.add(task);
            return true;
        }
        //@ end
    }

    public Runnable take() throws InterruptedException {
        return queue.take();
    }
}
