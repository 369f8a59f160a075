// A state is asked for with a synchronized getter, then another one is set.
//@ finding: StateMachine.start
public class StateMachine {
    private int state;

    public synchronized int state() {
        return state;
    }

    protected synchronized void state(int next) {
        state = next;
    }

    public void start() {
        //@ before
        if (state() != 0) {
            throw new IllegalStateException();
        }
        state(1);
        //@ after
        synchronized (this) {
            if (state() != 0) {
                throw new IllegalStateException();
            }
            state(1);
        }
        //@ end
    }

    public void stop() {
        state(2);
    }
}
