package double_check;

import commute.Atomic;

class Cell {
    int field;
}

class Updater extends Thread {
    private static final Cell shared = new Cell();

    @Atomic
    int getSharedField() {
        return shared.field;
    }

    @Atomic
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
 * Correct: updateSharedField looks whether the old value is still there, and if not all is done again.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        new Updater().start();
        new Updater().start();
    }
}
