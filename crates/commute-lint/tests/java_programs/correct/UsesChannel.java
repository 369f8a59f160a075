// Each call on what a volatile field refers to is what it is; only the reference
// is shared.
import java.io.IOException;
import java.nio.channels.Channel;

public class UsesChannel {
    private volatile Channel channel;
    private int uses;

    public UsesChannel(Channel channel) {
        this.channel = channel;
    }

    public void shut() throws IOException {
        if (channel.isOpen()) {
            channel.close();
        }
    }

    public void cancel() throws IOException {
        channel.close();
    }

    public synchronized int use() {
        return uses++;
    }
}
