// A guarded block as it should be.
public class WaitInWhile {
    private Object item;

    public synchronized void put(Object next) throws InterruptedException {
        while (item != null) {
            wait();
        }
        item = next;
        notifyAll();
    }

    public synchronized Object take() throws InterruptedException {
        while (item == null) {
            wait();
        }
        Object taken = item;
        item = null;
        notifyAll();
        return taken;
    }
}
