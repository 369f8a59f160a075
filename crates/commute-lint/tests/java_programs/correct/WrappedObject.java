// What wraps another object of its own kind looks at itself, and then changes
// the other one.
import java.util.concurrent.ConcurrentHashMap;

public class WrappedObject {
    private final ConcurrentHashMap<String, Integer> uses = new ConcurrentHashMap<>();
    private final WrappedObject inner;

    public WrappedObject(WrappedObject inner) {
        this.inner = inner;
    }

    public void use(String name) {
        if (uses.get(name) == null) {
            inner.reset(name);
        }
    }

    private void reset(String name) {
        uses.put(name, 0);
    }

    public void merge(String name) {
        uses.merge(name, 1, Integer::sum);
    }
}
