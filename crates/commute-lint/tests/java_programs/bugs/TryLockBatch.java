// tryLock, and a position that was read before it.
//@ finding: TryLockBatch.advance
import java.util.concurrent.locks.ReentrantLock;

public class TryLockBatch {
    private final ReentrantLock lock = new ReentrantLock();
    private long position;

    public long position() {
        lock.lock();
        try {
            return position;
        } finally {
            lock.unlock();
        }
    }

    public boolean advance(long by) {
        //@ before
        long next = position() + by;
        if (!lock.tryLock()) {
            return false;
        }
        try {
            position = next;
        //@ after
        if (!lock.tryLock()) {
            return false;
        }
        try {
            position = position + by;
        //@ end
            return true;
        } finally {
            lock.unlock();
        }
    }
}
