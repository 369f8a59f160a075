package connection;

import commute.Atomic;

class Counter {
    int n;

    @Atomic
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

    @Atomic
    void resetSocket() {
        socket.close();
    }

    @Atomic
    boolean isConnected() {
        return socket.isOpen();
    }

    @Atomic
    boolean send(String message) {
        counter.increment();
        return socket.write(message);
    }

    void disconnect() {
        resetSocket();
        counter.reset();
    }

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
 * Between isConnected and send another window may disconnect; disconnect resets socket and counter
 * in two steps, although send uses both in one.
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
