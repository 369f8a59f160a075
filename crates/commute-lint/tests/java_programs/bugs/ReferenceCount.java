// A count that fell to nothing is raised again.
//@ finding: ReferenceCount.retain
import java.util.concurrent.atomic.AtomicInteger;

public class ReferenceCount {
    private final AtomicInteger count = new AtomicInteger(1);

    public boolean retain() {
        //@ before
        if (count.get() == 0) {
            return false;
        }
        count.incrementAndGet();
        return true;
        //@ after
        for (;;) {
            int seen = count.get();
            if (seen == 0) {
                return false;
            }
            if (count.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
        //@ end
    }

    public void release() {
        count.decrementAndGet();
    }
}
