package under_reporting;

import commute.Atomic;

class Counter {
    private int i = 1;

    @Atomic
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
    public void run() {
        int t = counter.inc(0);
        counter.inc(t);
    }
}

/**
 * What inc returned goes into inc again, and may be old by then.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Counter counter = new Counter();
        new Doubler(counter).start();
        new Doubler(counter).start();
    }
}
