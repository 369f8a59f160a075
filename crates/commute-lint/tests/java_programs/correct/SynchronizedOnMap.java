// A client-side lock on a synchronized map: its own monitor.
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class SynchronizedOnMap {
    private final Map<String, Integer> totals = Collections.synchronizedMap(new HashMap<>());

    public void add(String key, int amount) {
        synchronized (totals) {
            Integer old = totals.get(key);
            totals.put(key, old == null ? amount : old + amount);
        }
    }

    public void remove(String key) {
        totals.remove(key);
    }
}
