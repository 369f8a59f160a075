// A synchronized getter that makes what is missing; no second region.
public class LazyHolder {
    private Object value;
    private boolean made;

    public synchronized Object value() {
        if (!made) {
            value = new Object();
            made = true;
        }
        return value;
    }

    private static final class Holder {
        static final LazyHolder INSTANCE = new LazyHolder();
    }

    public static LazyHolder instance() {
        return Holder.INSTANCE;
    }
}
