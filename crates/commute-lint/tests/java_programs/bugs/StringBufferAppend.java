// A StringBuffer is long enough, and then it is not.
//@ finding: StringBufferAppend.trim
public class StringBufferAppend {
    private final StringBuffer text = new StringBuffer();

    public void append(String more) {
        text.append(more);
    }

    public void trim() {
        //@ before
        if (text.length() > 0) {
            text.deleteCharAt(text.length() - 1);
        }
        //@ after
        synchronized (text) {
            if (text.length() > 0) {
                text.deleteCharAt(text.length() - 1);
            }
        }
        //@ end
    }

    public synchronized void copy(StringBufferAppend other) {
        text.append(other.text);
    }
}
