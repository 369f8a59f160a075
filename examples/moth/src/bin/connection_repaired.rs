//! `connection` repaired: `disconnect` and `try_send_msg` hold the
//! lock from beginning to end.

use std::sync::{Arc, Mutex};
use std::thread;

const WINDOWS: u32 = 10;
const STEPS: u32 = 20;

struct Conn {
    open: bool,
    n: u32,
}

impl Conn {
    fn reset_socket(&mut self) {
        self.open = false;
    }

    fn reset(&mut self) {
        self.n = 0;
    }

    fn is_connected(&self) -> bool {
        self.open
    }

    /// Whether the socket took the message.
    fn send(&mut self, _message: &str) -> bool {
        self.n += 1;
        self.open
    }
}

struct Connection {
    conn: Mutex<Conn>,
}

impl Connection {
    fn disconnect(&self) {
        let mut conn = self.conn.lock().unwrap();
        conn.reset_socket();
        conn.reset();
    }

    fn try_send_msg(&self, message: &str) -> bool {
        let mut conn = self.conn.lock().unwrap();
        if conn.is_connected() {
            conn.send(message)
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
