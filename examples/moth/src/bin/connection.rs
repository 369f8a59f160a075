//! A connection that several windows share. Between `is_connected` and `send`
//! another window may disconnect; and `disconnect` resets socket and counter in
//! two steps, although `send` uses both in one.

use std::sync::{Arc, Mutex};
use std::thread;

const WINDOWS: u32 = 10;
const STEPS: u32 = 20;

struct Conn {
    open: bool,
    n: u32,
}

struct Connection {
    conn: Mutex<Conn>,
}

impl Connection {
    fn reset_socket(&self) {
        self.conn.lock().unwrap().open = false;
    }

    fn reset(&self) {
        self.conn.lock().unwrap().n = 0;
    }

    fn is_connected(&self) -> bool {
        self.conn.lock().unwrap().open
    }

    /// Whether the socket took the message.
    fn send(&self, _message: &str) -> bool {
        let mut conn = self.conn.lock().unwrap();
        conn.n += 1;
        conn.open
    }

    fn disconnect(&self) {
        self.reset_socket();
        // Here a message is counted that is forgotten in a moment.
        self.reset();
    }

    fn try_send_msg(&self, message: &str) -> bool {
        if self.is_connected() {
            // Here the socket may be closed.
            self.send(message)
        } else {
            false
        }
    }

    fn run(&self, window: u32) -> u32 {
        let mut sent = 0;
        for step in 0..STEPS {
            if (window + step) % 10 == 9 {
                self.disconnect();
            } else {
                sent += u32::from(self.try_send_msg("hello"));
            }
        }
        sent
    }
}

fn main() {
    let conn = Mutex::new(Conn { open: true, n: 0 });
    let connection = Arc::new(Connection { conn });
    let mut windows = Vec::new();
    for window in 0..WINDOWS {
        let connection = Arc::clone(&connection);
        windows.push(thread::spawn(move || connection.run(window)));
    }
    for window in windows {
        println!("{} sent", window.join().unwrap());
    }
}
