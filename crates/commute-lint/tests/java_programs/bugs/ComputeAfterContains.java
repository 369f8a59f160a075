import java.util.concurrent.ConcurrentHashMap;

// COLT (Shacham et al., OOPSLA 2011), Figure 12 (vi): whether there is a value, the
// insertion and the value are three operations.
//@ finding: ComputeAfterContains.compute
class ComputeAfterContains {
    private final ConcurrentHashMap<Integer, Integer> values = new ConcurrentHashMap<>();

    //@ before
    public Integer compute(int key) {
        if (!values.containsKey(key)) {
            values.putIfAbsent(key, key * 7);
        }
        return values.get(key);
    }
    //@ after
    public Integer compute(int key) {
        return values.computeIfAbsent(key, k -> k * 7);
    }
    //@ end

    public void remove(int key) { values.remove(key); }
}
