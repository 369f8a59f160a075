// Closing runs twice: the flag is asked for and then set.
//@ finding: CloseOnce.close
import java.util.concurrent.atomic.AtomicBoolean;

public class CloseOnce implements AutoCloseable {
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Runnable cleanup;

    public CloseOnce(Runnable cleanup) {
        this.cleanup = cleanup;
    }

    @Override
    public void close() {
        //@ before
        if (closed.get()) {
            return;
        }
        closed.set(true);
        //@ after
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        //@ end
        cleanup.run();
    }
}
