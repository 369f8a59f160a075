// A constructor asks and puts; nobody else has the object yet.
import java.util.concurrent.ConcurrentHashMap;

public class ConstructorFills {
    private final ConcurrentHashMap<String, Integer> codes = new ConcurrentHashMap<>();

    public ConstructorFills(String[] names) {
        for (String name : names) {
            if (!codes.containsKey(name)) {
                codes.put(name, codes.size());
            }
        }
    }

    public Integer code(String name) {
        return codes.get(name);
    }
}
