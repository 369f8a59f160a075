// Whoever gets the answer that it was first goes on alone.
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

public class ClaimByResult {
    private final ConcurrentMap<String, Object> owners = new ConcurrentHashMap<>();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean busy = new AtomicBoolean();
    private int runs;

    public void claim(String key, Object owner) {
        if (owners.putIfAbsent(key, owner) == null) {
            count();
            owners.remove(key);
        }
    }

    public void once(String key) {
        if (seen.add(key)) {
            count();
            seen.remove(key);
        }
    }

    public void alone() {
        if (busy.compareAndSet(false, true)) {
            try {
                count();
            } finally {
                busy.set(false);
            }
        }
    }

    private synchronized void count() {
        runs++;
    }
}
