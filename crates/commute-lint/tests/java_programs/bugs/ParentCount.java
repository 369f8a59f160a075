// The parent's count is looked at and then changed, in two steps: it is one
// object, though not this one.
//@ finding: ParentCount.join
public class ParentCount {
    private final ParentCount parent;
    private int children;

    public ParentCount(ParentCount parent) {
        this.parent = parent;
    }

    public boolean join(int limit) {
        //@ before
        if (parent.children() >= limit) {
            return false;
        }
        parent.add();
        return true;
        //@ after
        synchronized (parent) {
            if (parent.children() >= limit) {
                return false;
            }
            parent.add();
            return true;
        }
        //@ end
    }

    private synchronized int children() {
        return children;
    }

    private synchronized void add() {
        children++;
    }
}
