// A parallel stream adds to an atomic with two operations.
//@ finding: ParallelSum
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class ParallelSum {
    private final AtomicInteger longest = new AtomicInteger();

    public int longest(List<String> words) {
        //@ before
        words.parallelStream().forEach(word -> {
            if (word.length() > longest.get()) {
                longest.set(word.length());
            }
        });
        //@ after
        words.parallelStream().forEach(word -> longest.accumulateAndGet(word.length(), Math::max));
        //@ end
        return longest.get();
    }
}
