// A map and the list of its keys change together. The map is asked in one block,
// and the list is changed in another.
//@ finding: KeysOfMap.drop
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class KeysOfMap {
    private final Map<String, Integer> counts = new HashMap<>();
    private final List<String> keys = new ArrayList<>();

    public synchronized void add(String key) {
        if (counts.put(key, 0) == null) {
            keys.add(key);
        }
    }

    public void drop(String key) {
        //@ before
        Integer count;
        synchronized (this) {
            count = counts.get(key);
        }
        if (count != null && count == 0) {
            synchronized (this) {
                keys.remove(key);
                counts.size();
            }
        }
        //@ after
        synchronized (this) {
            Integer count = counts.get(key);
            if (count != null && count == 0) {
                keys.remove(key);
                counts.remove(key);
            }
        }
        //@ end
    }
}
