// A cache whose lost value is computed twice, and the second one wins.
//@ finding: LoaderCache.load
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentHashMap;

public class LoaderCache {
    private final ConcurrentMap<String, StringBuilder> loaded = new ConcurrentHashMap<>();

    public StringBuilder load(String name) {
        StringBuilder value = loaded.get(name);
        if (value == null) {
            value = new StringBuilder(name);
            //@ before
            loaded.put(name, value);
            //@ after
            StringBuilder other = loaded.putIfAbsent(name, value);
            if (other != null) {
                value = other;
            }
            //@ end
        }
        return value;
    }

    public void evict(String name) {
        loaded.remove(name);
    }
}
