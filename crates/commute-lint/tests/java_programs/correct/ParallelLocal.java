// Parallel work on things of its own, then one collects.
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

public class ParallelLocal {
    private final LongAdder total = new LongAdder();

    public List<String> run(List<String> words) {
        return words.parallelStream()
                .filter(word -> !word.isEmpty())
                .map(word -> {
                    total.add(word.length());
                    return word.trim();
                })
                .collect(Collectors.toList());
    }

    public long total() {
        return total.sum();
    }
}
