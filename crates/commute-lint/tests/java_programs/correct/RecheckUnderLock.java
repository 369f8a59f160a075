// Looked at without the write lock, and again with it.
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class RecheckUnderLock {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<Integer, String> names = new HashMap<>();

    public String name(int id) {
        lock.readLock().lock();
        try {
            String known = names.get(id);
            if (known != null) {
                return known;
            }
        } finally {
            lock.readLock().unlock();
        }
        lock.writeLock().lock();
        try {
            String known = names.get(id);
            if (known == null) {
                known = "name-" + id;
                names.put(id, known);
            }
            return known;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
