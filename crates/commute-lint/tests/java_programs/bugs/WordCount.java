// A count per word in a concurrent map: two threads count one.
//@ finding: WordCount.count
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class WordCount {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    public void count(String word) {
        //@ before
        Integer old = counts.get(word);
        counts.put(word, old == null ? 1 : old + 1);
        //@ after
        counts.merge(word, 1, Integer::sum);
        //@ end
    }

    public int of(String word) {
        return counts.getOrDefault(word, 0);
    }
}
