package buffer;

import commute.Atomic;

class Buffer {
    private int cell = 3;
    private int head;
    private int tail = 1;

    @Atomic
    int next() {
        head = head + 1;
        return cell;
    }

    @Atomic
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
    public void run() {
        for (int i = 0; i < 3; i++) {
            int value = buffer.next();
            int square = value * value;
            buffer.add(square);
        }
    }
}

/**
 * Correct: an element belongs to the thread that took it. But the code does not say so, and the value of
 * next is old when it comes to add.
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
