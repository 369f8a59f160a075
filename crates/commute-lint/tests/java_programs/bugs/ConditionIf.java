// The same with a Condition: await in an if.
//@ finding: ConditionIf.take
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionIf {
    private final Lock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final ArrayDeque<Object> items = new ArrayDeque<>();

    public void put(Object item) {
        lock.lock();
        try {
            items.addLast(item);
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    public Object take() throws InterruptedException {
        lock.lock();
        try {
            //@ before
            if (items.isEmpty()) {
                filled.await();
            }
            //@ after
            while (items.isEmpty()) {
                filled.await();
            }
            //@ end
            return items.removeFirst();
        } finally {
            lock.unlock();
        }
    }
}
