package philo_repaired;

import commute.Atomic;

class Table {
    private final boolean[] forks = new boolean[5];
    private int eatctr;

    /** Waits for both forks. Returns how often all have eaten before. */
    int getForks(int id) {
        int left = id;
        int right = (id + 1) % forks.length;
        while (forks[left] || forks[right]) {
            try {
                wait();
            } catch (InterruptedException e) {
                return eatctr;
            }
        }
        forks[left] = true;
        forks[right] = true;
        return eatctr++;
    }

    void putForks(int id) {
        forks[id] = false;
        forks[(id + 1) % forks.length] = false;
        notifyAll();
    }
}

class Philosopher extends Thread {
    private final Table table;
    private final int id;

    Philosopher(Table table, int id) {
        this.table = table;
        this.id = id;
    }

    @Override
    @Atomic
    public void run() {
        int n = 0;
        while (n < 12) {
            n = table.getForks(id);
            Thread.yield();
            table.putForks(id);
        }
    }
}

/**
 * As philo, but run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Table table = new Table();
        for (int id = 0; id < 5; id++) {
            new Philosopher(table, id).start();
        }
    }
}
