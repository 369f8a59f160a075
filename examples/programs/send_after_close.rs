//! A worker is told to stop: its queue is closed under a lock. A client that sends
//! under the same lock may come later, and its message is lost; it was early in this
//! run.

use commute::sync::mpsc::{self, Sender};
use commute::sync::{Arc, Mutex};
use commute::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    commute::name(&sender, "queue");
    let state = Arc::new(Mutex::new(()));
    commute::name(&state, "state");
    let client = {
        let state = Arc::clone(&state);
        thread::spawn(move || send(&state, &sender))
    };
    thread::sleep(std::time::Duration::from_millis(300));
    {
        let _state = state.lock().expect("no thread panics");
        drop(receiver);
    }
    client.join().expect("no thread panics");
}

fn send(state: &Mutex<()>, queue: &Sender<u32>) {
    let _state = state.lock().expect("no thread panics");
    if queue.send(7).is_err() {
        eprintln!("the message is lost");
    }
}
