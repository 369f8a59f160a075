// Permits are counted under a lock, but the limit is checked before it.
//@ finding: RateLimiter.tryAcquire
import java.util.concurrent.locks.ReentrantLock;

public class RateLimiter {
    private final ReentrantLock lock = new ReentrantLock();
    private int used;
    private final int limit = 10;

    private int used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }

    public boolean tryAcquire() {
        //@ before
        if (used() >= limit) {
            return false;
        }
        lock.lock();
        try {
            used++;
        //@ after
        lock.lock();
        try {
            if (used() >= limit) {
                return false;
            }
            used++;
        //@ end
        } finally {
            lock.unlock();
        }
        return true;
    }

    public void release() {
        lock.lock();
        try {
            used--;
        } finally {
            lock.unlock();
        }
    }
}
