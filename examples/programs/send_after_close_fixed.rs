//! A worker's queue is closed when its client has ended.

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
    client.join().expect("no thread panics");
    drop(receiver);
}

fn send(state: &Mutex<()>, queue: &Sender<u32>) {
    let _state = state.lock().expect("no thread panics");
    if queue.send(7).is_err() {
        eprintln!("the message is lost");
    }
}
