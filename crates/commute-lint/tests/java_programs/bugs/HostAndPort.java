// A pair that is set in two synchronized setters and read together.
//@ finding: HostAndPort.connect
public class HostAndPort {
    private String host = "localhost";
    private int port = 80;

    public synchronized void host(String host) {
        this.host = host;
    }

    public synchronized void port(int port) {
        this.port = port;
    }

    public synchronized String address() {
        return host + ":" + port;
    }

    //@ before
    public void connect(String newHost, int newPort) {
        host(newHost);
        port(newPort);
    }
    //@ after
    public synchronized void connect(String newHost, int newPort) {
        host(newHost);
        port(newPort);
    }
    //@ end
}
