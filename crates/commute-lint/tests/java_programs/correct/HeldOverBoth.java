// Synchronized methods that call each other: one region.
import java.util.ArrayList;
import java.util.List;

public class HeldOverBoth {
    private final List<String> items = new ArrayList<>();

    public synchronized boolean isEmpty() {
        return items.isEmpty();
    }

    public synchronized String first() {
        if (isEmpty()) {
            return null;
        }
        return items.remove(0);
    }

    public synchronized void add(String item) {
        items.add(item);
    }
}
