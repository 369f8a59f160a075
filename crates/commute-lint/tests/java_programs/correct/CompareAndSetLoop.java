// A loop of get and compareAndSet.
import java.util.concurrent.atomic.AtomicInteger;

public class CompareAndSetLoop {
    private final AtomicInteger permits = new AtomicInteger(8);

    public boolean tryAcquire() {
        while (true) {
            int seen = permits.get();
            if (seen <= 0) {
                return false;
            }
            if (permits.compareAndSet(seen, seen - 1)) {
                return true;
            }
        }
    }

    public void release() {
        permits.incrementAndGet();
    }
}
