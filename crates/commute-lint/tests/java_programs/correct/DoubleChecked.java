// Double-checked locking with a volatile field.
public class DoubleChecked {
    private static volatile DoubleChecked instance;

    public static DoubleChecked instance() {
        DoubleChecked seen = instance;
        if (seen == null) {
            synchronized (DoubleChecked.class) {
                seen = instance;
                if (seen == null) {
                    seen = new DoubleChecked();
                    instance = seen;
                }
            }
        }
        return seen;
    }
}
