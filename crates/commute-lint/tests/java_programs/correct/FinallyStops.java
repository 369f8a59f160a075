// Compilers write `finally` several times: what it does is done whether or not
// the loop was left because of the flag.
public class FinallyStops implements Runnable {
    private volatile boolean running = true;
    private final Runnable listener;
    private int rounds;

    public FinallyStops(Runnable listener) {
        this.listener = listener;
    }

    @Override
    public void run() {
        try {
            while (running()) {
                listener.run();
                Thread.sleep(10);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            listener.run();
        } catch (RuntimeException failed) {
            listener.run();
        } finally {
            try {
                close();
            } catch (IllegalStateException failed) {
                listener.run();
            }
            stop();
        }
    }

    protected void close() {
        listener.run();
    }

    private boolean running() {
        return running;
    }

    public void stop() {
        running = false;
    }

    public synchronized int rounds() {
        return rounds;
    }
}
