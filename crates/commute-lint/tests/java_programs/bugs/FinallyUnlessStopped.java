// The last of several users stops the service. The check is in `finally`, but it
// is a check.
//@ finding: FinallyUnlessStopped.use
public class FinallyUnlessStopped {
    private int users;
    private boolean stopped;

    public void use(Runnable work) {
        enter();
        try {
            work.run();
        } finally {
            //@ before
            if (left() == 0) {
                stop();
            }
            //@ after
            leave();
            //@ end
        }
    }

    private synchronized void enter() {
        users++;
        stopped = false;
    }

    private synchronized int left() {
        return users - 1;
    }

    private synchronized void stop() {
        users = 0;
        stopped = true;
    }

    private synchronized void leave() {
        users--;
        if (users == 0) {
            stopped = true;
        }
    }

    public synchronized boolean isStopped() {
        return stopped;
    }
}
