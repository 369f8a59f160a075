// A maximum falls back to a smaller value.
//@ finding: HighWaterMark.report
import java.util.concurrent.atomic.AtomicLong;

public class HighWaterMark {
    private final AtomicLong mark = new AtomicLong();

    public void report(long used) {
        //@ before
        if (used > mark.get()) {
            mark.set(used);
        }
        //@ after
        long seen = mark.get();
        while (used > seen && !mark.compareAndSet(seen, used)) {
            seen = mark.get();
        }
        //@ end
    }

    public long mark() {
        return mark.get();
    }
}
