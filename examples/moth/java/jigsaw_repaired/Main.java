package jigsaw_repaired;

import commute.Atomic;
import java.util.HashMap;
import java.util.Map;

class Entry {
    private final int store;

    Entry(int store) {
        this.store = store;
    }

    Integer getStore() {
        return store;
    }
}

class Manager {
    private boolean closed;
    private final Map<Integer, Entry> entries = new HashMap<>();

    boolean checkClosed() {
        return closed;
    }

    Entry lookupEntry(Integer key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            entry = new Entry(key);
            entries.put(key, entry);
        }
        return entry;
    }

    @Atomic
    void shutdown() {
        entries.clear();
        closed = true;
    }

    @Atomic
    Integer loadResourceStore(Integer key) {
        Entry entry = lookupEntry(key);
        return checkClosed() ? null : entry.getStore();
    }
}

class Loader extends Thread {
    private final Manager manager;
    private final int key;

    Loader(Manager manager, int key) {
        this.manager = manager;
        this.key = key;
    }

    @Override
    public void run() {
        manager.loadResourceStore(key);
        manager.shutdown();
    }
}

/**
 * As jigsaw, but loadResourceStore is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Manager manager = new Manager();
        for (int key = 0; key < 3; key++) {
            new Loader(manager, key).start();
        }
    }
}
