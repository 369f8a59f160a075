// The shape of session managers: two requests of one client get two sessions.
//@ finding: SessionTable.session
import java.util.concurrent.ConcurrentHashMap;

public class SessionTable {
    private final ConcurrentHashMap<String, Object> sessions = new ConcurrentHashMap<>();

    public Object session(String id) {
        //@ before
        if (!sessions.containsKey(id)) {
            sessions.put(id, new Object());
        }
        return sessions.get(id);
        //@ after
        return sessions.computeIfAbsent(id, key -> new Object());
        //@ end
    }

    public void close(String id) {
        sessions.remove(id);
    }
}
