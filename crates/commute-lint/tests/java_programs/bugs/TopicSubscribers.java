// The last subscriber leaves, and the list goes with one that has just come.
//@ finding: TopicSubscribers.unsubscribe
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

public class TopicSubscribers {
    private final ConcurrentMap<String, Set<String>> topics = new ConcurrentHashMap<>();

    public void subscribe(String topic, String client) {
        //@ before
        topics.computeIfAbsent(topic, key -> ConcurrentHashMap.newKeySet()).add(client);
        //@ after
        topics.compute(topic, (key, clients) -> {
            Set<String> all = clients == null ? ConcurrentHashMap.newKeySet() : clients;
            all.add(client);
            return all;
        });
        //@ end
    }

    public void unsubscribe(String topic, String client) {
        //@ before
        Set<String> clients = topics.get(topic);
        if (clients != null) {
            clients.remove(client);
            if (clients.isEmpty()) {
                topics.remove(topic);
            }
        }
        //@ after
        topics.computeIfPresent(topic, (key, clients) -> {
            clients.remove(client);
            return clients.isEmpty() ? null : clients;
        });
        //@ end
    }
}
