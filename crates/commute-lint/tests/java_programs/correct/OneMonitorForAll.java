// One monitor guards all fields of an object: that one is looked at before
// another is changed does not make them a pair.
public class OneMonitorForAll {
    private boolean newestFirst;
    private int idle;
    private int tests;

    public void evict() {
        boolean last;
        synchronized (this) {
            last = newestFirst;
        }
        if (last) {
            test();
            synchronized (this) {
                idle++;
                if (newestFirst) {
                    notifyAll();
                }
            }
        }
    }

    private synchronized void test() {
        tests++;
    }

    public synchronized void setNewestFirst(boolean newestFirst) {
        this.newestFirst = newestFirst;
    }

    public synchronized int idle() {
        return idle;
    }
}
