// A quotient of two counts that are reset together, but read one after the other.
//@ finding: TwoCounters.snapshot
public class TwoCounters {
    private final Object lock = new Object();
    private long hits;
    private long misses;

    public void reset() {
        synchronized (lock) {
            hits = 0;
            misses = 0;
        }
    }

    public void hit() {
        synchronized (lock) {
            hits++;
        }
    }

    public void miss() {
        synchronized (lock) {
            misses++;
        }
    }

    public double snapshot() {
        //@ before
        long h;
        long m;
        synchronized (lock) {
            h = hits;
        }
        synchronized (lock) {
            m = misses;
        }
        return (double) h / (h + m);
        //@ after
        synchronized (lock) {
            return (double) hits / (hits + misses);
        }
        //@ end
    }
}
