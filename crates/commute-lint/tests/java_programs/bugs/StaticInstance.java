// A singleton of an AtomicReference: two callers get two.
//@ finding: StaticInstance.instance
import java.util.concurrent.atomic.AtomicReference;

public class StaticInstance {
    private static final AtomicReference<StaticInstance> INSTANCE = new AtomicReference<>();

    public static StaticInstance instance() {
        //@ before
        if (INSTANCE.get() == null) {
            INSTANCE.set(new StaticInstance());
        }
        //@ after
        if (INSTANCE.get() == null) {
            INSTANCE.compareAndSet(null, new StaticInstance());
        }
        //@ end
        return INSTANCE.get();
    }
}
