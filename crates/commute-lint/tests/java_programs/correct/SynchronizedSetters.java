// Independent settings with synchronized getters and setters.
public class SynchronizedSetters {
    private int timeout = 10;
    private String name = "";

    public synchronized int getTimeout() {
        return timeout;
    }

    public synchronized void setTimeout(int timeout) {
        this.timeout = timeout;
    }

    public synchronized String getName() {
        return name;
    }

    public synchronized void setName(String name) {
        this.name = name;
    }
}
