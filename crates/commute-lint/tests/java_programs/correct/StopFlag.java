// A volatile flag that is only ever set to one value.
public class StopFlag implements Runnable {
    private volatile boolean stopped;
    private int rounds;

    @Override
    public void run() {
        while (!stopped) {
            synchronized (this) {
                rounds++;
            }
        }
    }

    public void stop() {
        stopped = true;
    }

    public synchronized int rounds() {
        return rounds;
    }

    public static void main(String[] arguments) throws InterruptedException {
        StopFlag flag = new StopFlag();
        Thread thread = new Thread(flag);
        thread.start();
        flag.stop();
        thread.join();
        System.out.println(flag.rounds());
    }
}
