// Listeners are copied under the lock and told without it.
import java.util.ArrayList;
import java.util.List;

public class SnapshotThenAct {
    private final List<Runnable> listeners = new ArrayList<>();

    public void add(Runnable listener) {
        synchronized (listeners) {
            listeners.add(listener);
        }
    }

    public void remove(Runnable listener) {
        synchronized (listeners) {
            listeners.remove(listener);
        }
    }

    public void fire() {
        List<Runnable> copy;
        synchronized (listeners) {
            copy = new ArrayList<>(listeners);
        }
        for (Runnable listener : copy) {
            listener.run();
        }
    }
}
