// A StringBuffer and a Stack where a StringBuilder and an ArrayDeque would do:
// nothing says that several threads have them.
import java.util.Stack;

public class BufferOfOne {
    private final StringBuffer text = new StringBuffer();
    private final Stack<String> open = new Stack<>();

    public void begin(String name) {
        if (text.length() > 0) {
            text.append(' ');
        }
        text.append(name);
        open.push(name);
    }

    public void end(String name) {
        if (!open.isEmpty() && open.peek().equals(name)) {
            open.pop();
        }
    }
}
