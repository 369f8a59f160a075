// An optimistic read that is validated.
import java.util.concurrent.locks.StampedLock;

public class OptimisticStamp {
    private final StampedLock lock = new StampedLock();
    private double x;
    private double y;

    public void move(double byX, double byY) {
        long stamp = lock.writeLock();
        try {
            x += byX;
            y += byY;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    public double distance() {
        long stamp = lock.tryOptimisticRead();
        double seenX = x;
        double seenY = y;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                seenX = x;
                seenY = y;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return Math.sqrt(seenX * seenX + seenY * seenY);
    }
}
