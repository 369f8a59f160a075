// What was expired is removed, though another has put a new value.
//@ finding: ExpiringCache.get
import java.util.concurrent.ConcurrentHashMap;

public class ExpiringCache {
    static final class Entry {
        final Object value;
        final long until;

        Entry(Object value, long until) {
            this.value = value;
            this.until = until;
        }
    }

    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

    public Object get(String key, long now) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (entry.until < now) {
            //@ before
            entries.remove(key);
            //@ after
            entries.remove(key, entry);
            //@ end
            return null;
        }
        return entry.value;
    }

    public void put(String key, Object value, long until) {
        entries.put(key, new Entry(value, until));
    }
}
