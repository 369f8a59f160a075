// get, then putIfAbsent, and the winner is used.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

public class PutIfAbsentLoop {
    private final ConcurrentMap<String, AtomicLong> counters = new ConcurrentHashMap<>();

    public long increment(String name) {
        AtomicLong counter = counters.get(name);
        if (counter == null) {
            AtomicLong made = new AtomicLong();
            counter = counters.putIfAbsent(name, made);
            if (counter == null) {
                counter = made;
            }
        }
        return counter.incrementAndGet();
    }
}
