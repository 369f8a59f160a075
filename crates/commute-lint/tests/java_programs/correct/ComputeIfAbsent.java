// The map does both at once.
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

public class ComputeIfAbsent {
    private final Map<String, List<Runnable>> handlers = new ConcurrentHashMap<>();

    public void on(String event, Runnable handler) {
        handlers.computeIfAbsent(event, key -> new CopyOnWriteArrayList<>()).add(handler);
    }

    public void fire(String event) {
        List<Runnable> all = handlers.get(event);
        if (all != null) {
            for (Runnable handler : all) {
                handler.run();
            }
        }
    }

    public void off(String event) {
        handlers.remove(event);
    }
}
