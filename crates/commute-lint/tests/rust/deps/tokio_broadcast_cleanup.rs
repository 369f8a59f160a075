//! Sockets of an order stream (boundless #2067): a broadcast collects those that
//! fail under the read lock and removes them by address afterwards; a client
//! that has connected again under its address is removed with them. Only the
//! connection that failed is removed now.
//@ finding: broadcast_task
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use tokio::sync::RwLock;

pub type Address = [u8; 20];

#[derive(Clone)]
pub struct ClientConnection {
    id: u64,
    sender: SyncSender<String>,
}

pub type ConnectionsMap = Arc<RwLock<HashMap<Address, ClientConnection>>>;

pub struct AppState {
    connections: ConnectionsMap,
    next_id: AtomicU64,
    max_connections: usize,
}

pub enum AppError {
    Full,
}

impl AppState {
    pub async fn set_connection(
        &self,
        address: Address,
        sender: SyncSender<String>,
    ) -> Result<u64, AppError> {
        let mut connections = self.connections.write().await;
        if connections.len() >= self.max_connections {
            return Err(AppError::Full);
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        connections.insert(address, ClientConnection { id, sender });
        Ok(id)
    }

    pub async fn remove_connection(&self, address: &Address, id: u64) {
        let mut connections = self.connections.write().await;
        if connections.get(address).is_some_and(|known| known.id == id) {
            connections.remove(address);
        }
    }
}

async fn broadcast_task(connections: ConnectionsMap, order: String) {
    let mut failed = Vec::new();
    {
        let connections = connections.read().await;
        for (address, client) in connections.iter() {
            match client.sender.try_send(order.clone()) {
                Ok(()) => {}
                Err(TrySendError::Full(_)) => failed.push((*address, client.id)),
                Err(TrySendError::Disconnected(_)) => failed.push((*address, client.id)),
            }
        }
    }
    if !failed.is_empty() {
        let mut connections = connections.write().await;
        for (address, id) in failed {
            #[cfg(not(fixed))]
            let remove = id < u64::MAX;
            #[cfg(fixed)]
            let remove = connections
                .get(&address)
                .is_some_and(|known| known.id == id);
            if remove {
                connections.remove(&address);
            }
        }
    }
}

pub fn start_broadcast(state: &AppState, order: String) {
    let connections = state.connections.clone();
    tokio::spawn(async move { broadcast_task(connections, order).await });
}
