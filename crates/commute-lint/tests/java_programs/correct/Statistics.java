// Numbers for a log line need not fit together.
import java.util.concurrent.atomic.AtomicLong;

public class Statistics {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    public void sent(boolean ok) {
        sent.incrementAndGet();
        if (!ok) {
            failed.incrementAndGet();
        }
    }

    public void print() {
        System.out.println("sent " + sent.get() + ", failed " + failed.get());
    }

    @Override
    public String toString() {
        return "Statistics[" + sent.get() + ", " + failed.get() + "]";
    }
}
