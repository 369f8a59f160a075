package local;

import commute.Atomic;

class Cell {
    private int n;

    @Atomic
    int getValue() {
        return n;
    }

    @Atomic
    void setValue(int n) {
        this.n = n;
    }
}

class Incrementer extends Thread {
    private final Cell cell;

    Incrementer(Cell cell) {
        this.cell = cell;
    }

    @Override
    public void run() {
        int tmp = cell.getValue();
        tmp++;
        cell.setValue(tmp);
    }
}

/**
 * Between getValue and setValue the other thread may do the same: one increment is lost.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Cell cell = new Cell();
        new Incrementer(cell).start();
        new Incrementer(cell).start();
    }
}
