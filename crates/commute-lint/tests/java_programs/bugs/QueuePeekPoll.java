// The head of a queue is looked at, and another one is taken.
//@ finding: QueuePeekPoll.next
import java.util.concurrent.ConcurrentLinkedQueue;

public class QueuePeekPoll {
    private final ConcurrentLinkedQueue<Integer> jobs = new ConcurrentLinkedQueue<>();

    public Integer next(int least) {
        //@ before
        Integer head = jobs.peek();
        if (head == null || head < least) {
            return null;
        }
        return jobs.poll();
        //@ after
        synchronized (jobs) {
            Integer head = jobs.peek();
            if (head == null || head < least) {
                return null;
            }
            return jobs.poll();
        }
        //@ end
    }

    public void add(int job) {
        jobs.add(job);
    }
}
