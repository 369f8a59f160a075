// A value of each thread.
public class ThreadLocalBuffer {
    private static final ThreadLocal<StringBuffer> BUFFER =
            ThreadLocal.withInitial(StringBuffer::new);

    public static String format(int number) {
        StringBuffer buffer = BUFFER.get();
        if (buffer.length() > 0) {
            buffer.setLength(0);
        }
        buffer.append(number);
        return buffer.toString();
    }
}
