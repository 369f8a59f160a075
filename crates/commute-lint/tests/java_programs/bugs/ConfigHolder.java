// Two updates of an immutable configuration: one of them is lost.
//@ finding: ConfigHolder.with
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

public class ConfigHolder {
    private final AtomicReference<Map<String, String>> current =
            new AtomicReference<>(new HashMap<>());

    public void with(String key, String value) {
        //@ before
        Map<String, String> next = new HashMap<>(current.get());
        next.put(key, value);
        current.set(next);
        //@ after
        current.updateAndGet(old -> {
            Map<String, String> next = new HashMap<>(old);
            next.put(key, value);
            return next;
        });
        //@ end
    }

    public String get(String key) {
        return current.get().get(key);
    }
}
