// getAndSet decides which of two closes.
import java.util.concurrent.atomic.AtomicReference;

public class GetAndSetOnce {
    private final AtomicReference<AutoCloseable> resource = new AtomicReference<>();

    public void open(AutoCloseable next) throws Exception {
        AutoCloseable old = resource.getAndSet(next);
        if (old != null) {
            old.close();
        }
    }

    public void close() throws Exception {
        AutoCloseable old = resource.getAndSet(null);
        if (old != null) {
            old.close();
        }
    }
}
