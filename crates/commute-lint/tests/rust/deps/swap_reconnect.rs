//! A client of a cache server replaces its connection when a command fails.
//! Many commands that fail at once all replace it, and the connection that one
//! of them has just made is thrown away again. It is now replaced only if it is
//! still the one that failed.
//@ finding: ConnectionManager::send
use arc_swap::ArcSwap;
use std::sync::Arc;

pub struct Connection {
    pub broken: bool,
    pub generation: u64,
}

impl Connection {
    async fn send(&self, command: &str) -> Result<usize, String> {
        if self.broken {
            return Err("broken".to_owned());
        }
        Ok(command.len())
    }
}

pub struct ConnectionManager {
    connection: ArcSwap<Connection>,
}

async fn connect(generation: u64) -> Arc<Connection> {
    tokio::task::yield_now().await;
    Arc::new(Connection {
        broken: false,
        generation,
    })
}

impl ConnectionManager {
    pub async fn send(&self, command: &str) -> Result<usize, String> {
        let current = Arc::clone(&self.connection.load());
        let result = current.send(command).await;
        if result.is_err() {
            let new = connect(current.generation + 1).await;
            #[cfg(not(fixed))]
            self.connection.store(new);
            #[cfg(fixed)]
            self.connection.compare_and_swap(&current, new);
        }
        result
    }
}
