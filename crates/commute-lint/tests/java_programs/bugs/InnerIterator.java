// An inner class asks for the size under the lock, then for the element.
//@ finding: InnerIterator$Cursor.next
import java.util.ArrayList;
import java.util.List;

public class InnerIterator {
    private final List<Object> rows = new ArrayList<>();

    public void add(Object row) {
        synchronized (rows) {
            rows.add(row);
        }
    }

    public void removeLast() {
        synchronized (rows) {
            if (!rows.isEmpty()) {
                rows.remove(rows.size() - 1);
            }
        }
    }

    public class Cursor {
        public Object next() {
            //@ before
            int last;
            synchronized (rows) {
                last = rows.size() - 1;
            }
            synchronized (rows) {
                return rows.get(last);
            }
            //@ after
            synchronized (rows) {
                int last = rows.size() - 1;
                return rows.get(last);
            }
            //@ end
        }
    }
}
