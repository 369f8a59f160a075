// One lock over the check and the action, with several ways out.
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class LockTryFinally {
    private final Lock lock = new ReentrantLock();
    private final Map<String, Integer> stock = new HashMap<>();

    public boolean take(String item) {
        lock.lock();
        try {
            Integer left = stock.get(item);
            if (left == null) {
                return false;
            }
            if (left == 0) {
                throw new IllegalStateException("none left");
            }
            stock.put(item, left - 1);
            return true;
        } finally {
            lock.unlock();
        }
    }
}
