// An anonymous Runnable of a thread, and main, both count.
//@ finding: AnonymousWorker
public class AnonymousWorker {
    private int done;

    synchronized int done() {
        return done;
    }

    synchronized void done(int value) {
        done = value;
    }

    public static void main(String[] arguments) {
        final AnonymousWorker state = new AnonymousWorker();
        for (int number = 0; number < 4; number++) {
            new Thread(new Runnable() {
                @Override
                public void run() {
                    //@ before
                    state.done(state.done() + 1);
                    //@ after
                    synchronized (state) {
                        state.done(state.done() + 1);
                    }
                    //@ end
                }
            }).start();
        }
    }
}
