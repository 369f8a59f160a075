// Each part is made when somebody asks for it: one after the other.
public class LazyParts {
    private Object left;
    private Object right;

    public synchronized Object left() {
        if (left == null) {
            left = new Object();
        }
        return left;
    }

    public synchronized Object right() {
        if (right == null) {
            right = new Object();
        }
        return right;
    }

    public void prepare() {
        left();
        right();
    }

    public synchronized boolean both() {
        return left != right;
    }
}
