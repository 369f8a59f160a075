// A Vector that nobody else sees.
import java.util.Vector;

public class ConfinedList {
    public String join(String[] words) {
        Vector<String> all = new Vector<>();
        for (String word : words) {
            if (!all.contains(word)) {
                all.add(word);
            }
        }
        StringBuffer text = new StringBuffer();
        for (int at = 0; at < all.size(); at++) {
            if (text.length() > 0) {
                text.append(',');
            }
            text.append(all.get(at));
        }
        return text.toString();
    }
}
