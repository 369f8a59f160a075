//! Private lock per connection, as far as the cases use it.
use std::sync::{Arc, Mutex};
struct Connection {
    inbox: Mutex<Vec<u8>>,
}
pub fn serve(input: &[u8]) -> usize {
    let connection = Connection {
        inbox: Mutex::new(Vec::new()),
    };
    for byte in input {
        let length = connection.inbox.lock().unwrap().len();
        if length < 10 {
            connection.inbox.lock().unwrap().push(*byte);
        }
    }
    let shared = Arc::new(connection);
    let n = shared.inbox.lock().unwrap().len();
    n
}
