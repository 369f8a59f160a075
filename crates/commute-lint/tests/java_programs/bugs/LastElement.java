// The end of a Vector is asked for and then used: it may have gone.
//@ finding: LastElement.takeLast
import java.util.Vector;

public class LastElement {
    private final Vector<Object> free = new Vector<>();

    public Object takeLast() {
        //@ before
        int size = free.size();
        if (size == 0) {
            return null;
        }
        return free.remove(size - 1);
        //@ after
        synchronized (free) {
            int size = free.size();
            if (size == 0) {
                return null;
            }
            return free.remove(size - 1);
        }
        //@ end
    }

    public void give(Object object) {
        free.add(object);
    }
}
