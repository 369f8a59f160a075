// Waits once: whoever is woken takes what another has taken before.
//@ finding: WaitWithIf.take
import java.util.LinkedList;

public class WaitWithIf {
    private final LinkedList<Object> queue = new LinkedList<>();

    public synchronized void put(Object item) {
        queue.addLast(item);
        notifyAll();
    }

    public synchronized Object take() throws InterruptedException {
        //@ before
        if (queue.isEmpty()) {
            wait();
        }
        //@ after
        while (queue.isEmpty()) {
            wait();
        }
        //@ end
        return queue.removeFirst();
    }
}
