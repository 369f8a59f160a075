// What is taken out of the shared queue is the taker's own.
import java.util.LinkedList;

public class TakeThenRun {
    private final LinkedList<Runnable> tasks = new LinkedList<>();
    private int completed;

    public void submit(Runnable task) {
        synchronized (tasks) {
            tasks.addLast(task);
            tasks.notify();
        }
    }

    public void work() throws InterruptedException {
        Runnable task;
        synchronized (tasks) {
            while (tasks.isEmpty()) {
                tasks.wait();
            }
            task = tasks.removeFirst();
        }
        task.run();
        synchronized (tasks) {
            completed++;
        }
    }

    public int completed() {
        synchronized (tasks) {
            return completed;
        }
    }
}
