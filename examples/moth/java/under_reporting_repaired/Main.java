package under_reporting_repaired;

import commute.Atomic;

class Counter {
    private int i = 1;

    int inc(int a) {
        i += a;
        return i;
    }
}

class Doubler extends Thread {
    private final Counter counter;

    Doubler(Counter counter) {
        this.counter = counter;
    }

    @Override
    @Atomic
    public void run() {
        int t = counter.inc(0);
        counter.inc(t);
    }
}

/**
 * As under_reporting, but run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Counter counter = new Counter();
        new Doubler(counter).start();
        new Doubler(counter).start();
    }
}
