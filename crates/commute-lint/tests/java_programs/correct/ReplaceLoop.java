// get and replace with the old value, again until it works.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

public class ReplaceLoop {
    private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

    public void count(String key) {
        for (;;) {
            Integer old = counts.putIfAbsent(key, 1);
            if (old == null) {
                return;
            }
            if (counts.replace(key, old, old + 1)) {
                return;
            }
        }
    }
}
