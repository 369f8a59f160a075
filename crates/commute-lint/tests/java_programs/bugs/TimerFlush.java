// A TimerTask flushes a batch while others add to it.
//@ finding: TimerFlush
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

public class TimerFlush {
    private List<String> batch = new ArrayList<>();
    private final Timer timer = new Timer(true);

    public TimerFlush() {
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                flush();
            }
        }, 1000, 1000);
    }

    public synchronized void log(String line) {
        batch.add(line);
    }

    void flush() {
        List<String> lines;
        //@ before
        synchronized (this) {
            lines = batch;
        }
        write(lines);
        synchronized (this) {
            if (!lines.isEmpty()) {
                batch = new ArrayList<>();
            }
        }
        //@ after
        synchronized (this) {
            lines = batch;
            batch = new ArrayList<>();
        }
        write(lines);
        //@ end
    }

    private static void write(List<String> lines) {
        System.out.println(lines);
    }
}
