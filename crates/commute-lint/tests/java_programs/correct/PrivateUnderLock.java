// Helpers without a lock, which only those call who hold it.
import java.util.ArrayDeque;

public class PrivateUnderLock {
    private final Object lock = new Object();
    private final ArrayDeque<Object> idle = new ArrayDeque<>();
    private int active;

    private boolean mayCreate() {
        return active < 8;
    }

    private Object create() {
        active++;
        return new Object();
    }

    public Object borrow() {
        synchronized (lock) {
            Object item = idle.pollFirst();
            if (item == null && mayCreate()) {
                item = create();
            }
            return item;
        }
    }

    public void giveBack(Object item) {
        synchronized (lock) {
            idle.addFirst(item);
        }
    }

    public void discard() {
        synchronized (lock) {
            active--;
        }
    }
}
