// The number of connections is an atomic: more than the limit are made.
//@ finding: PoolLimit.open
import java.util.concurrent.atomic.AtomicInteger;

public class PoolLimit {
    private final AtomicInteger open = new AtomicInteger();
    private final int limit;

    public PoolLimit(int limit) {
        this.limit = limit;
    }

    public Object open() {
        //@ before
        if (open.get() >= limit) {
            throw new IllegalStateException("too many");
        }
        open.incrementAndGet();
        return new Object();
        //@ after
        if (open.incrementAndGet() > limit) {
            open.decrementAndGet();
            throw new IllegalStateException("too many");
        }
        return new Object();
        //@ end
    }

    public void close() {
        open.decrementAndGet();
    }
}
