package over_reporting_repaired;

import commute.Atomic;

class Lookup {
    private volatile boolean initDone;
    private int[] keys = {};
    private int[] values = {};

    void init() {
        if (!initDone) {
            sets();
        }
    }

    void sets() {
        initDone = true;
        keys = new int[] {1, 2, 3, 4};
        values = new int[] {1, 4, 9, 16};
    }

    int get(int key) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] == key) {
                return values[i];
            }
        }
        return -1;
    }
}

class Reader extends Thread {
    private final Lookup map;
    private final int key;

    Reader(Lookup map, int key) {
        this.map = map;
        this.key = key;
    }

    @Override
    @Atomic
    public void run() {
        map.init();
        map.get(key);
    }
}

/**
 * As over_reporting, but run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Lookup map = new Lookup();
        new Reader(map, 1).start();
        new Reader(map, 2).start();
    }
}
