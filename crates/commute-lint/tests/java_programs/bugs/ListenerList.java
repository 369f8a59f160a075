// A listener that is added once by each of two threads is told twice.
//@ finding: ListenerList.add
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class ListenerList {
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();

    public void add(Runnable listener) {
        //@ before
        if (!listeners.contains(listener)) {
            listeners.add(listener);
        }
        //@ after
        listeners.addIfAbsent(listener);
        //@ end
    }

    public void remove(Runnable listener) {
        listeners.remove(listener);
    }

    public void fire() {
        for (Runnable listener : listeners) {
            listener.run();
        }
    }
}
