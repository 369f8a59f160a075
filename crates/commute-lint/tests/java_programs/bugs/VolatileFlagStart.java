// Started twice: a volatile flag that is looked at and set without a lock.
//@ finding: VolatileFlagStart.start
public class VolatileFlagStart {
    private volatile boolean started;
    private Thread thread;

    //@ before
    public void start() {
    //@ after
    public synchronized void start() {
    //@ end
        if (started) {
            return;
        }
        started = true;
        thread = new Thread(() -> System.out.println("runs"));
        thread.start();
    }

    public synchronized void stop() {
        started = false;
    }
}
