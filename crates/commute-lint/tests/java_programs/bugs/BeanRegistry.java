// Registering the same name twice must fail, and does not.
//@ finding: BeanRegistry.register
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class BeanRegistry {
    private final Map<String, Object> beans = Collections.synchronizedMap(new HashMap<>());

    public void register(String name, Object bean) {
        //@ before
        if (beans.containsKey(name)) {
            throw new IllegalStateException(name);
        }
        beans.put(name, bean);
        //@ after
        if (beans.putIfAbsent(name, bean) != null) {
            throw new IllegalStateException(name);
        }
        //@ end
    }

    public void unregister(String name) {
        beans.remove(name);
    }
}
