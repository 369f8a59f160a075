// A copy of a list is changed and put back in a second block.
//@ finding: PropertyUpdate.append
import java.util.ArrayList;
import java.util.List;

public class PropertyUpdate {
    private final Object lock = new Object();
    private List<String> values = new ArrayList<>();

    public List<String> copy() {
        synchronized (lock) {
            return new ArrayList<>(values);
        }
    }

    public void append(String value) {
        //@ before
        List<String> changed = copy();
        changed.add(value);
        synchronized (lock) {
            values = changed;
        }
        //@ after
        synchronized (lock) {
            List<String> changed = copy();
            changed.add(value);
            values = changed;
        }
        //@ end
    }
}
