import java.util.concurrent.ConcurrentHashMap;

// COLT (Shacham et al., OOPSLA 2011), Figure 12 (v): what was computed is returned,
// although another thread's value may be in the map. Now it is Figure 12 (ii).
//@ finding: ComputeOwnValue.compute
class ComputeOwnValue {
    private final ConcurrentHashMap<Integer, Integer> values = new ConcurrentHashMap<>();

    public Integer compute(int key) {
        Integer value = values.get(key);
        if (value == null) {
            value = key * 7;
            //@ before
            values.putIfAbsent(key, value);
            //@ after
            Integer known = values.putIfAbsent(key, value);
            if (known != null) value = known;
            //@ end
        }
        return value;
    }

    public void remove(int key) { values.remove(key); }
}
