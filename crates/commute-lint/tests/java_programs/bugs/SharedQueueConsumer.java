// The queue comes from outside: several threads take out of it.
//@ finding: SharedQueueConsumer.run
import java.util.concurrent.LinkedBlockingQueue;

public class SharedQueueConsumer extends Thread {
    private final LinkedBlockingQueue<String> queue;
    private volatile String last;

    public SharedQueueConsumer(LinkedBlockingQueue<String> queue) {
        this.queue = queue;
    }

    public void put(String text) {
        queue.add(text);
    }

    @Override
    public void run() {
        //@ before
        String next = queue.peek();
        if (next != null && next.length() > 3) {
            queue.poll();
            last = next;
        }
        //@ after
        String next = queue.poll();
        if (next != null && next.length() > 3) {
            last = next;
        }
        //@ end
    }
}
