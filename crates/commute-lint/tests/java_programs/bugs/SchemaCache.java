// Looks under the read lock, stores under the write lock without looking again.
//@ finding: SchemaCache.schema
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class SchemaCache {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Object> schemas = new HashMap<>();

    public Object schema(String subject) {
        lock.readLock().lock();
        try {
            Object known = schemas.get(subject);
            if (known != null) {
                return known;
            }
        } finally {
            lock.readLock().unlock();
        }
        lock.writeLock().lock();
        try {
            //@ before
            Object made = new Object();
            schemas.put(subject, made);
            return made;
            //@ after
            Object made = schemas.get(subject);
            if (made == null) {
                made = new Object();
                schemas.put(subject, made);
            }
            return made;
            //@ end
        } finally {
            lock.writeLock().unlock();
        }
    }
}
