package connection_repaired;

import commute.Atomic;

class Counter {
    int n;

    void reset() {
        n = 0;
    }

    void increment() {
        n = n + 1;
    }
}

class Socket {
    boolean open = true;

    void close() {
        open = false;
    }

    boolean isOpen() {
        return open;
    }

    /** Whether the message got out. */
    boolean write(String message) {
        return open;
    }
}

class Connection {
    final Counter counter = new Counter();
    final Socket socket = new Socket();

    void resetSocket() {
        socket.close();
    }

    boolean isConnected() {
        return socket.isOpen();
    }

    boolean send(String message) {
        counter.increment();
        return socket.write(message);
    }

    @Atomic
    void disconnect() {
        resetSocket();
        counter.reset();
    }

    @Atomic
    boolean trySendMsg(String message) {
        if (isConnected()) {
            return send(message);
        }
        return false;
    }
}

class Gui extends Thread {
    private final Connection connection;
    private final int window;

    Gui(Connection connection, int window) {
        this.connection = connection;
        this.window = window;
    }

    @Override
    public void run() {
        for (int step = 0; step < 20; step++) {
            if ((window + step) % 10 == 9) {
                connection.disconnect();
            } else {
                connection.trySendMsg("hello");
            }
        }
    }
}

/**
 * As connection, but disconnect and trySendMsg are atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Connection connection = new Connection();
        for (int window = 0; window < 10; window++) {
            new Gui(connection, window).start();
        }
    }
}
