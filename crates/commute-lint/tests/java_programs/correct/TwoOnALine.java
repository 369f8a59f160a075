// Two variables are looked at on one line. Others change the one, and only the
// thread itself changes the other.
public class TwoOnALine extends Thread {
    private final Object lock = new Object();
    private boolean open = true;
    private int left = 10;

    @Override
    public void run() {
        boolean more, seen;
        synchronized (lock) {
            seen = open; more = left > 0;
        }
        System.out.println(seen);
        if (more) {
            synchronized (lock) {
                left = left - 1;
            }
        }
    }

    public void close() {
        synchronized (lock) {
            open = false;
        }
    }
}
