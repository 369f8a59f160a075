// Threads of a class of their own share a counter object.
//@ finding: ThreadSubclass.run
class Tally {
    private int value;

    synchronized int get() {
        return value;
    }

    synchronized void set(int value) {
        this.value = value;
    }
}

public class ThreadSubclass extends Thread {
    private final Tally tally;

    ThreadSubclass(Tally tally) {
        this.tally = tally;
    }

    @Override
    public void run() {
        for (int round = 0; round < 10; round++) {
            //@ before
            tally.set(tally.get() + 1);
            //@ after
            synchronized (tally) {
                tally.set(tally.get() + 1);
            }
            //@ end
        }
    }

    public static void main(String[] arguments) {
        Tally tally = new Tally();
        new ThreadSubclass(tally).start();
        new ThreadSubclass(tally).start();
    }
}
