// Many put into the queue of a thread, and only the thread takes out of it.
import java.util.concurrent.LinkedBlockingQueue;

public class OneConsumer extends Thread {
    private final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
    private volatile String last;

    public void put(String text) {
        queue.add(text);
    }

    @Override
    public void run() {
        if (!queue.isEmpty()) {
            queue.poll();
            last = "taken";
        }
    }
}
