// add of a concurrent set says whether it was there.
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

public class AddOnlySet {
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    public boolean firstTime(String id) {
        if (seen.contains(id)) {
            return false;
        }
        return seen.add(id);
    }
}
