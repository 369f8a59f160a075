// Condition.await in a loop, and nested try.
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class AwaitWhile {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int permits;

    public boolean acquire(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lockInterruptibly();
        try {
            while (permits == 0) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            permits--;
            return true;
        } finally {
            lock.unlock();
        }
    }

    public void release() {
        lock.lock();
        try {
            permits++;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    public boolean tryAcquire() {
        if (lock.tryLock()) {
            try {
                if (permits > 0) {
                    permits--;
                    return true;
                }
            } finally {
                lock.unlock();
            }
        }
        return false;
    }
}
