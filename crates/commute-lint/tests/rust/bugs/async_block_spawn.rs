//! async block spawn.
//@ finding: Hub::broadcast
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
pub struct Hub {
    clients: Arc<Mutex<HashMap<u32, u64>>>,
}
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;
pub fn spawn(_: Task) {}
async fn send(_: u64) {}
impl Hub {
    #[cfg(not(fixed))]
    pub fn broadcast(&self, id: u32) {
        let clients = self.clients.clone();
        spawn(Box::pin(async move {
            let sent = clients.lock().unwrap().get(&id).copied().unwrap_or(0);
            send(sent).await;
            clients.lock().unwrap().insert(id, sent + 1);
        }));
    }
    #[cfg(fixed)]
    pub fn broadcast(&self, id: u32) {
        let clients = self.clients.clone();
        spawn(Box::pin(async move {
            let sent = {
                let mut clients = clients.lock().unwrap();
                let sent = clients.entry(id).or_insert(0);
                *sent += 1;
                *sent
            };
            send(sent).await;
        }));
    }
    pub fn disconnect(&self, id: u32) {
        self.clients.lock().unwrap().remove(&id);
    }
}
