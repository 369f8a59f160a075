// Tasks of an executor add to a total with get and set.
//@ finding: TransferService
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

public class TransferService {
    private final AtomicLong total = new AtomicLong();

    public static void main(String[] arguments) {
        TransferService service = new TransferService();
        ExecutorService executor = Executors.newFixedThreadPool(4);
        for (int task = 0; task < 10; task++) {
            int amount = task;
            executor.submit(() -> service.add(amount));
        }
        executor.shutdown();
    }

    void add(long amount) {
        //@ before
        long seen = total.get();
        total.set(seen + amount);
        //@ after
        total.addAndGet(amount);
        //@ end
    }
}
