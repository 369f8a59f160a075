// Numbers that should be unique are given out twice.
//@ finding: Sequence.next
import java.util.concurrent.atomic.AtomicInteger;

public class Sequence {
    private final AtomicInteger last = new AtomicInteger();

    public int next() {
        //@ before
        int value = last.get() + 1;
        last.set(value);
        return value;
        //@ after
        return last.incrementAndGet();
        //@ end
    }
}
