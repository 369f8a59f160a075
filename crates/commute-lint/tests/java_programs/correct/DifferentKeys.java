// Reads one key, writes another object's map.
import java.util.concurrent.ConcurrentHashMap;

public class DifferentKeys {
    private final ConcurrentHashMap<String, String> settings = new ConcurrentHashMap<>();

    public void define(String key, String value) {
        settings.put(key, value);
    }

    public String title() {
        String title = settings.get("title");
        return title == null ? "untitled" : title;
    }

    public void name(String name) {
        settings.put("name", name);
    }
}
