// A ring of slots: the head is read, the slot is written in another block.
//@ finding: ArrayRing.push
public class ArrayRing {
    private final Object[] slots = new Object[16];
    private int head;

    public void push(Object item) {
        //@ before
        int at;
        synchronized (slots) {
            at = head;
        }
        synchronized (slots) {
            slots[at] = item;
            head = (at + 1) % 16;
        }
        //@ after
        synchronized (slots) {
            int at = head;
            slots[at] = item;
            head = (at + 1) % 16;
        }
        //@ end
    }
}
