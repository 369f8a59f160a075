package string_buffer;

import commute.Atomic;

class MyStringBuffer {
    private final StringBuffer buffer;

    MyStringBuffer(String text) {
        buffer = new StringBuffer(text);
    }

    @Atomic
    int length() {
        return buffer.length();
    }

    @Atomic
    void getChars(int begin, int end, char[] to) {
        buffer.getChars(begin, end, to, 0);
    }

    @Atomic
    void delete(int position) {
        buffer.deleteCharAt(position);
    }

    void append(MyStringBuffer other) {
        int length = other.length();
        char[] chars = new char[length];
        other.getChars(0, length, chars);
        this.delete(0);
    }
}

/**
 * Between length and getChars the other text may get shorter.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        MyStringBuffer text = new MyStringBuffer("abc");
        MyStringBuffer other = new MyStringBuffer("defg");
        text.append(other);
    }
}
