// The program behind `use_after_free.std`, in outline.

struct Server {
    session: Mutex<*mut Session>,
}

fn touch(server: &Server) {
    let session = server.session.lock().unwrap();
    unsafe { (**session).last_used = now() };
}

fn close(server: &Server) {
    let session = server.session.lock().unwrap();
    drop(unsafe { Box::from_raw(*session) });
}

fn main() {
    let session = Box::into_raw(Box::new(Session::new()));
    let server = Arc::new(Server { session: Mutex::new(session) });
    let other = server.clone();

    let closer = thread::spawn(move || close(&other));
    touch(&server);
    closer.join().unwrap();
}
