// Takes until there is nothing; it never asks first.
import java.util.concurrent.ConcurrentLinkedQueue;

public class PollUntilNull {
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    public void submit(Runnable task) {
        tasks.add(task);
    }

    public int drain() {
        int done = 0;
        Runnable task;
        while ((task = tasks.poll()) != null) {
            task.run();
            done++;
        }
        return done;
    }
}
