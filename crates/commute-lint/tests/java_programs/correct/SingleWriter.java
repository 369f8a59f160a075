// One thread writes, started once; others only read.
public class SingleWriter {
    private volatile long beats;
    private volatile boolean stopped;

    public static void main(String[] arguments) throws InterruptedException {
        SingleWriter heart = new SingleWriter();
        Thread thread = new Thread(heart::beat);
        thread.start();
        while (heart.beats < 10) {
            Thread.sleep(1);
        }
        heart.stopped = true;
        thread.join();
    }

    private void beat() {
        while (!stopped) {
            beats = beats + 1;
        }
    }
}
