import java.util.concurrent.ConcurrentHashMap;

// COLT (Shacham et al., OOPSLA 2011), Figure 12 (iv): the value is asked for a second
// time, when another thread may have removed it.
//@ finding: ComputeLookAgain.compute
class ComputeLookAgain {
    private final ConcurrentHashMap<Integer, Integer> values = new ConcurrentHashMap<>();

    //@ before
    public Integer compute(int key) {
        Integer value = values.get(key);
        if (value == null) {
            value = key * 7;
            values.putIfAbsent(key, value);
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
