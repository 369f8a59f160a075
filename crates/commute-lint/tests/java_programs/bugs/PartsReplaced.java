// Two parts are replaced one after the other, while others read both at once.
//@ finding: PartsReplaced.replace
public class PartsReplaced {
    private Object left;
    private Object right;

    private synchronized void setLeft(Object left) {
        this.left = left;
    }

    private synchronized void setRight(Object right) {
        this.right = right;
    }

    //@ before
    public void replace(Object made) {
    //@ after
    public synchronized void replace(Object made) {
    //@ end
        setLeft(made);
        setRight(made);
    }

    public synchronized boolean fit() {
        return left == right;
    }
}
