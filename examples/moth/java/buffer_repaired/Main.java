package buffer_repaired;

import commute.Atomic;

class Buffer {
    private int cell = 3;
    private int head;
    private int tail = 1;

    int next() {
        head = head + 1;
        return cell;
    }

    void add(int value) {
        tail = tail + 1;
        cell = value;
    }
}

class Squarer extends Thread {
    private final Buffer buffer;

    Squarer(Buffer buffer) {
        this.buffer = buffer;
    }

    @Override
    @Atomic
    public void run() {
        for (int i = 0; i < 3; i++) {
            int value = buffer.next();
            int square = value * value;
            buffer.add(square);
        }
    }
}

/**
 * As buffer, but run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Buffer buffer = new Buffer();
        for (int i = 0; i < 3; i++) {
            new Squarer(buffer).start();
        }
    }
}
