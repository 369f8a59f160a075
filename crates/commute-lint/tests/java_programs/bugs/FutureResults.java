// Stages of CompletableFuture write into one map.
//@ finding: FutureResults
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

public class FutureResults {
    private final Map<String, Integer> results = new ConcurrentHashMap<>();

    public CompletableFuture<Void> request(String key) {
        return CompletableFuture.supplyAsync(() -> key.length()).thenAccept(value -> {
            //@ before
            Integer old = results.get(key);
            if (old == null || old < value) {
                results.put(key, value);
            }
            //@ after
            results.merge(key, value, Math::max);
            //@ end
        });
    }
}
