//! A place for one message, and a condition variable for whoever waits for it.

use commute::sync::{Arc, Condvar, Mutex};
use commute::thread;

#[derive(Default)]
struct Mailbox {
    message: Mutex<Option<u32>>,
    filled: Condvar,
}

impl Mailbox {
    fn put(&self, message: u32) {
        *self.message.lock().unwrap() = Some(message);
        self.filled.notify_one();
    }

    fn wait(&self) -> u32 {
        let mut message = self.message.lock().unwrap();
        loop {
            match message.take() {
                Some(message) => return message,
                None => message = self.filled.wait(message).unwrap(),
            }
        }
    }

    /// The mistake: the message may come between the look and the wait.
    fn look_then_wait(&self) -> u32 {
        if self.message.lock().unwrap().is_none() {
            let message = self.message.lock().unwrap();
            drop(self.filled.wait(message).unwrap());
        }
        self.message.lock().unwrap().take().unwrap()
    }
}

fn put_and_wait(wait: fn(&Mailbox) -> u32) {
    let mailbox = Arc::new(Mailbox::default());
    let other = Arc::clone(&mailbox);
    let thread = thread::spawn(move || other.put(7));
    assert_eq!(wait(&mailbox), 7);
    thread.join().unwrap();
}

#[commute::test]
fn mailbox_is_waited_for() {
    put_and_wait(Mailbox::wait);
}

#[commute::test(explored_only)]
fn mailbox_lost_wake_up() {
    put_and_wait(Mailbox::look_then_wait);
}
