// main fills before threads are started, and sums up after they ended.
import java.util.concurrent.atomic.AtomicInteger;

public class BeforeStart {
    static final AtomicInteger count = new AtomicInteger();

    public static void main(String[] arguments) throws InterruptedException {
        int first = count.get();
        count.set(first + 10);
        Thread[] threads = new Thread[4];
        for (int at = 0; at < threads.length; at++) {
            threads[at] = new Thread(() -> count.incrementAndGet());
            threads[at].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(count.get());
    }
}
