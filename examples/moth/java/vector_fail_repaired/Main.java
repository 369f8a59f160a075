package vector_fail_repaired;

import commute.Atomic;

class Elements {
    private int first;
    private int second;
    private boolean firstIsGreater;

    int getMax() {
        return firstIsGreater ? first : second;
    }

    int getMin() {
        return firstIsGreater ? second : first;
    }

    void setElements(int first, int second) {
        this.first = first;
        this.second = second;
        this.firstIsGreater = first > second;
    }
}

class Checker extends Thread {
    private final Elements vector;
    private final int value;

    Checker(Elements vector, int value) {
        this.vector = vector;
        this.value = value;
    }

    @Override
    @Atomic
    public void run() {
        vector.setElements(value, 2 * value);
        int max = vector.getMax();
        int min = vector.getMin();
        boolean torn = max != 2 * min;
        System.out.println(torn);
    }
}

/**
 * As vector_fail, but run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Elements vector = new Elements();
        for (int value = 1; value < 4; value++) {
            new Checker(vector, value).start();
        }
    }
}
