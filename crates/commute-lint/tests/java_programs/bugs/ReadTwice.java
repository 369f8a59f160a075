// A volatile reference is looked at, and then read again: it may be null by
// then.
//@ finding: ReadTwice.evict
import java.util.ArrayList;
import java.util.List;

public class ReadTwice {
    private volatile List<String> pool = new ArrayList<>();

    public void evict() {
        //@ before
        if (pool != null) {
            pool.clear();
        }
        //@ after
        List<String> now = pool;
        if (now != null) {
            now.clear();
        }
        //@ end
    }

    public synchronized void close() {
        pool = null;
    }
}
