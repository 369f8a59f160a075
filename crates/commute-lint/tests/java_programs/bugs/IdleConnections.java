// A pool with a lock object of its own: the connection is looked at, then removed.
//@ finding: IdleConnections.borrow
import java.util.ArrayDeque;
import java.util.Deque;

public class IdleConnections {
    private final Object mutex = new Object();
    private final Deque<Object> idle = new ArrayDeque<>();

    public Object borrow() {
        //@ before
        boolean empty;
        synchronized (mutex) {
            empty = idle.isEmpty();
        }
        if (empty) {
            return new Object();
        }
        synchronized (mutex) {
            return idle.removeFirst();
        }
        //@ after
        synchronized (mutex) {
            if (idle.isEmpty()) {
                return new Object();
            }
            return idle.removeFirst();
        }
        //@ end
    }

    public void giveBack(Object connection) {
        synchronized (mutex) {
            idle.addLast(connection);
        }
    }
}
