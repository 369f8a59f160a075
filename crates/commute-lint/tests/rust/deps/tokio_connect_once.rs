//! tokio connect once.
//@ finding: Client::connection
use std::sync::Arc;
use tokio::sync::Mutex;
pub struct Connection;
pub struct Client {
    connection: Mutex<Option<Arc<Connection>>>,
}
async fn dial() -> Result<Connection, String> {
    tokio::task::yield_now().await;
    Ok(Connection)
}
impl Client {
    #[cfg(not(fixed))]
    pub async fn connection(&self) -> Result<Arc<Connection>, String> {
        let existing = self.connection.lock().await.clone();
        if let Some(connection) = existing {
            return Ok(connection);
        }
        let connection = Arc::new(dial().await?);
        *self.connection.lock().await = Some(connection.clone());
        Ok(connection)
    }
    #[cfg(fixed)]
    pub async fn connection(&self) -> Result<Arc<Connection>, String> {
        let mut slot = self.connection.lock().await;
        if let Some(connection) = &*slot {
            return Ok(connection.clone());
        }
        let connection = Arc::new(dial().await?);
        *slot = Some(connection.clone());
        Ok(connection)
    }
    pub async fn close(&self) {
        *self.connection.lock().await = None;
    }
}
