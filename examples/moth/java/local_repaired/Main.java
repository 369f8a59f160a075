package local_repaired;

import commute.Atomic;

class Cell {
    private int n;

    int getValue() {
        return n;
    }

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
    @Atomic
    public void run() {
        int tmp = cell.getValue();
        tmp++;
        cell.setValue(tmp);
    }
}

/**
 * As local, but run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Cell cell = new Cell();
        new Incrementer(cell).start();
        new Incrementer(cell).start();
    }
}
