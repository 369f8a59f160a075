// A thread has its fields for itself in `run`, but not those that others set.
//@ finding: WorkerStopped.run
public class WorkerStopped extends Thread {
    private Runnable next;

    @Override
    public void run() {
        //@ before
        Runnable now;
        synchronized (this) {
            now = next;
        }
        if (now != null) {
            now.run();
            synchronized (this) {
                next = null;
            }
        }
        //@ after
        Runnable now;
        synchronized (this) {
            now = next;
            next = null;
        }
        if (now != null) {
            now.run();
        }
        //@ end
    }

    public synchronized void give(Runnable task) {
        next = task;
    }
}
