// One task is given to several threads, and a worker can be stopped by others.
//@ finding: WorkerShared$Task.run
import java.util.concurrent.Executor;

public class WorkerShared {
    public void start(Executor executor, int count) {
        Task task = new Task();
        for (int at = 0; at < count; at++) {
            executor.execute(task);
        }
    }

    private static class Task implements Runnable {
        private volatile long done;

        @Override
        public void run() {
            //@ before
            done = done + 1;
            //@ after
            synchronized (this) {
                done = done + 1;
            }
            //@ end
        }
    }
}
