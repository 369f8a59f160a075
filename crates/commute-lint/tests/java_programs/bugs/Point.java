// Moves by what was read under another stamp.
//@ finding: Point.move
import java.util.concurrent.locks.StampedLock;

public class Point {
    private final StampedLock lock = new StampedLock();
    private double x;

    public double x() {
        long stamp = lock.readLock();
        try {
            return x;
        } finally {
            lock.unlockRead(stamp);
        }
    }

    public void move(double by) {
        //@ before
        double old = x();
        long stamp = lock.writeLock();
        try {
            x = old + by;
        } finally {
            lock.unlockWrite(stamp);
        }
        //@ after
        long stamp = lock.writeLock();
        try {
            x = x + by;
        } finally {
            lock.unlockWrite(stamp);
        }
        //@ end
    }
}
