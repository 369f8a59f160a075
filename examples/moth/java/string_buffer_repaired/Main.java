package string_buffer_repaired;

import commute.Atomic;

class MyStringBuffer {
    private final StringBuffer buffer;

    MyStringBuffer(String text) {
        buffer = new StringBuffer(text);
    }

    int length() {
        return buffer.length();
    }

    void getChars(int begin, int end, char[] to) {
        buffer.getChars(begin, end, to, 0);
    }

    void delete(int position) {
        buffer.deleteCharAt(position);
    }

    @Atomic
    void append(MyStringBuffer other) {
        int length = other.length();
        char[] chars = new char[length];
        other.getChars(0, length, chars);
        this.delete(0);
    }
}

/**
 * As string_buffer, but append is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        MyStringBuffer text = new MyStringBuffer("abc");
        MyStringBuffer other = new MyStringBuffer("defg");
        text.append(other);
    }
}
