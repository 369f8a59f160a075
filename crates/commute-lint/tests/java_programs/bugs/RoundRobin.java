// The next server by number: the list got shorter.
//@ finding: RoundRobin.choose
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;

public class RoundRobin {
    private final List<String> servers = new CopyOnWriteArrayList<>();

    public String choose() {
        //@ before
        int number = ThreadLocalRandom.current().nextInt(servers.size());
        return servers.get(number);
        //@ after
        Object[] all = servers.toArray();
        return (String) all[ThreadLocalRandom.current().nextInt(all.length)];
        //@ end
    }

    public void remove(String server) {
        servers.remove(server);
    }
}
