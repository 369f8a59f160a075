package coord04_repaired;

import commute.Atomic;

class Coord {
    private int x = 1;
    private int y = 2;

    @Atomic
    void swap() {
        int old = x;
        x = y;
        y = old;
    }

    void resetX() {
        x = 0;
    }

    void resetY() {
        y = 0;
    }

    @Atomic
    void reset() {
        resetX();
        resetY();
    }
}

class Swapper extends Thread {
    private final Coord coord;

    Swapper(Coord coord) {
        this.coord = coord;
    }

    @Override
    public void run() {
        coord.swap();
        coord.reset();
    }
}

/**
 * As coord04, but reset is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Coord coord = new Coord();
        new Swapper(coord).start();
        new Swapper(coord).start();
    }
}
