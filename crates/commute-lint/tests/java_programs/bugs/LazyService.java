// Lazy initialisation: looked at in one synchronized block, made in another.
//@ finding: LazyService.service
public class LazyService {
    private Object service;

    public Object service() {
        //@ before
        synchronized (this) {
            if (service != null) {
                return service;
            }
        }
        Object made = new Object();
        synchronized (this) {
            service = made;
        }
        return made;
        //@ after
        synchronized (this) {
            if (service == null) {
                service = new Object();
            }
            return service;
        }
        //@ end
    }

    public synchronized void reset() {
        service = null;
    }
}
