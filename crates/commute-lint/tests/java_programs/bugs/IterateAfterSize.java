// The size of a synchronized list is asked for, then its elements by number.
//@ finding: IterateAfterSize.total
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class IterateAfterSize {
    private final List<Integer> values = Collections.synchronizedList(new ArrayList<>());

    public int total() {
        int total = 0;
        //@ before
        int count = values.size();
        for (int at = 0; at < count; at++) {
            total += values.get(at);
        }
        //@ after
        synchronized (values) {
            for (int value : values) {
                total += value;
            }
        }
        //@ end
        return total;
    }

    public void clear() {
        values.clear();
    }

    public void add(int value) {
        values.add(value);
    }
}
