// Two ends that are written together, but read one after the other.
//@ finding: MinMax.range
public class MinMax {
    private long least;
    private long most;

    public synchronized void put(long value) {
        least = Math.min(least, value);
        most = Math.max(most, value);
    }

    public synchronized long least() {
        return least;
    }

    public synchronized long most() {
        return most;
    }

    //@ before
    public long range() {
    //@ after
    public synchronized long range() {
    //@ end
        return most() - least();
    }
}
