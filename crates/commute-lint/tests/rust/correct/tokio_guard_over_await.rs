//! The connection is opened and kept under one guard, over the await.
use std::sync::Arc;
use tokio::sync::Mutex;

pub struct Connection {
    address: String,
    requests: u64,
}

async fn connect(address: &str) -> Result<Connection, String> {
    tokio::task::yield_now().await;
    Ok(Connection {
        address: address.to_owned(),
        requests: 0,
    })
}

#[derive(Clone)]
pub struct Client {
    address: String,
    connection: Arc<Mutex<Option<Connection>>>,
}

impl Client {
    pub fn new(address: &str) -> Client {
        Client {
            address: address.to_owned(),
            connection: Arc::new(Mutex::new(None)),
        }
    }
    pub async fn request(&self) -> Result<u64, String> {
        let mut slot = self.connection.lock().await;
        if slot.is_none() {
            *slot = Some(connect(&self.address).await?);
        }
        let connection = slot.as_mut().ok_or("closed")?;
        connection.requests += 1;
        Ok(connection.requests)
    }
    pub async fn close(&self) -> Option<String> {
        let connection = self.connection.lock().await.take();
        connection.map(|connection| connection.address)
    }
}
