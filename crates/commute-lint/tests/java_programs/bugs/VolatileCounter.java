// A volatile field that is counted up is two operations.
//@ finding: VolatileCounter.hit
public class VolatileCounter {
    private volatile int hits;

    //@ before
    public void hit() {
    //@ after
    public synchronized void hit() {
    //@ end
        hits++;
    }

    public synchronized void reset() {
        hits = 0;
    }

    public int hits() {
        return hits;
    }
}
