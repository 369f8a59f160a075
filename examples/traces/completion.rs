// The program behind `completion.std`, in outline.

#[derive(Default)]
struct Completion {
    ready: Mutex<bool>,
    changed: Condvar,
}

fn complete(completion: *mut Completion) {
    let completion = unsafe { &*completion };
    *completion.ready.lock().unwrap() = true;
    // Whoever sees the flag may be done with the completion.
    completion.changed.notify_one();
}

fn main() {
    let completion = Box::into_raw(Box::new(Completion::default()));
    let address = completion as usize;
    thread::spawn(move || complete(address as *mut Completion));

    let mut ready = unsafe { (*completion).ready.lock().unwrap() };
    while !*ready {
        ready = unsafe { (*completion).changed.wait(ready).unwrap() };
    }
    drop(ready);
    drop(unsafe { Box::from_raw(completion) });
}
