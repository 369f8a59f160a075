package coord03_repaired;

import commute.Atomic;

class Pair {
    final int x;
    final int y;

    Pair(int x, int y) {
        this.x = x;
        this.y = y;
    }
}

class Vars {
    private int x;
    private int y;

    int getX() {
        return x;
    }

    void setX(int x) {
        this.x = x;
    }

    int getY() {
        return y;
    }

    void setY(int y) {
        this.y = y;
    }

    Pair getXy() {
        return new Pair(x, y);
    }

    void setXy(int x, int y) {
        this.x = x;
        this.y = y;
    }
}

abstract class Worker extends Thread {
    final Vars vars;

    Worker(Vars vars) {
        this.vars = vars;
    }

    void useOne(int x) {
        System.out.println(x);
    }

    void usePair(int x, int y) {
        int sum = x + y;
        System.out.println(sum);
    }
}

class T1 extends Worker {
    T1(Vars vars) {
        super(vars);
    }

    @Override
    @Atomic
    public void run() {
        vars.setXy(1, 2);
    }
}

class T2 extends Worker {
    T2(Vars vars) {
        super(vars);
    }

    @Override
    @Atomic
    public void run() {
        int z = vars.getX();
        useOne(z);
    }
}

class T3 extends Worker {
    T3(Vars vars) {
        super(vars);
    }

    @Override
    @Atomic
    public void run() {
        int x = vars.getX();
        int y = vars.getY();
        usePair(x, y);
    }
}

class T4 extends Worker {
    T4(Vars vars) {
        super(vars);
    }

    @Override
    @Atomic
    public void run() {
        int x = vars.getX();
        useOne(x);
        Pair pair = vars.getXy();
        usePair(pair.x, pair.y);
    }
}

/**
 * As coord03, but the run of each thread is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Vars vars = new Vars();
        for (int i = 0; i < 10; i++) {
            new T1(vars).start();
            new T2(vars).start();
            new T3(vars).start();
            new T4(vars).start();
        }
    }
}
