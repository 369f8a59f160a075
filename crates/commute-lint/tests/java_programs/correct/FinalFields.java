// Fields that never change may be read in as many blocks as one likes.
import java.util.Map;

public class FinalFields {
    private final int limit;
    private final String name;
    private int used;

    public FinalFields(int limit, String name) {
        this.limit = limit;
        this.name = name;
    }

    public synchronized int limit() {
        return limit;
    }

    public synchronized String name() {
        return name;
    }

    public String describe() {
        return name() + " has " + limit();
    }

    public synchronized boolean use() {
        if (used >= limit) {
            return false;
        }
        used++;
        return true;
    }
}
