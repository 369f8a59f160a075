// Synchronized methods that are called one after the other by another one.
//@ finding: BoundedBuffer.offer
import java.util.ArrayList;
import java.util.List;

public class BoundedBuffer {
    private final List<Object> items = new ArrayList<>();
    private final int capacity = 16;

    public synchronized int size() {
        return items.size();
    }

    public synchronized void add(Object item) {
        items.add(item);
    }

    public synchronized Object take() {
        return items.isEmpty() ? null : items.remove(0);
    }

    //@ before
    public boolean offer(Object item) {
    //@ after
    public synchronized boolean offer(Object item) {
    //@ end
        if (size() < capacity) {
            add(item);
            return true;
        }
        return false;
    }
}
