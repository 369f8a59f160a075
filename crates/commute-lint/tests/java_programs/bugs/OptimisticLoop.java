// A number is computed outside of the lock and stored, until that is enough. Now it is
// only stored if the number is still the one that it was computed from.
//@ finding: OptimisticLoop.increment
public class OptimisticLoop {
    private int number;

    synchronized int get() {
        return number;
    }

    //@ before
    synchronized boolean set(int old, int next) {
        number = next;
        return next > old;
    }
    //@ after
    synchronized boolean set(int old, int next) {
        if (number != old) {
            return false;
        }
        number = next;
        return true;
    }
    //@ end

    public void increment() {
        for (;;) {
            int old = get();
            if (set(old, old + 1)) {
                return;
            }
        }
    }
}
