// A volatile reference is read once, and the object that was found is used.
public class ListenerCopy {
    public interface Listener {
        void notified(String what);
    }

    private volatile Listener listener;
    private int sent;

    public void setListener(Listener listener) {
        this.listener = listener;
    }

    public void send(String what) {
        Listener now = listener;
        if (now != null) {
            now.notified(what);
        }
    }

    public synchronized int sent() {
        return sent++;
    }
}
