// A compare-and-set of its own under a monitor, tried until it succeeds: of a number, of
// one of several fields, and of a number of another object.
public class OptimisticLoops {
    private int number;
    private int changes;
    private final OptimisticLoops other;

    OptimisticLoops(OptimisticLoops other) {
        this.other = other;
    }

    synchronized int get() {
        return number;
    }

    synchronized boolean set(int old, int next) {
        if (number == old) {
            number = next;
            changes++;
            return true;
        }
        return false;
    }

    public void increment() {
        boolean done = false;
        while (!done) {
            int old = get();
            done = set(old, old + 1);
        }
    }

    public int incrementOther() {
        while (true) {
            int old = other.get();
            int next = old + 1;
            if (other.set(old, next)) {
                return next;
            }
        }
    }

    public void twice() {
        for (int i = 0; i < 2; i++) {
            int old;
            do {
                old = get();
            } while (!set(old, 2 * old));
        }
    }
}
