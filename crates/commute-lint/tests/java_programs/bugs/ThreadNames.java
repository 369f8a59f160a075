// A static counter under the monitor of the class.
//@ finding: ThreadNames.next
public class ThreadNames {
    private static int number;

    private static synchronized int number() {
        return number;
    }

    private static synchronized void number(int next) {
        number = next;
    }

    //@ before
    public static String next() {
    //@ after
    public static synchronized String next() {
    //@ end
        int mine = number();
        number(mine + 1);
        return "worker-" + mine;
    }
}
