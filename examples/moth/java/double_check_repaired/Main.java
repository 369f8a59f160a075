package double_check_repaired;

import commute.Atomic;

class Cell {
    int field;
}

class Updater extends Thread {
    private static final Cell shared = new Cell();

    int getSharedField() {
        return shared.field;
    }

    boolean updateSharedField(int old, int value) {
        if (old == shared.field) {
            shared.field = value;
            return true;
        }
        return false;
    }

    int compute(int value) {
        return 2 * value + 1;
    }

    @Override
    @Atomic
    public void run() {
        boolean done = false;
        while (!done) {
            int value = getSharedField();
            int computed = compute(value);
            done = updateSharedField(value, computed);
        }
    }
}

/**
 * As double_check, but run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        new Updater().start();
        new Updater().start();
    }
}
