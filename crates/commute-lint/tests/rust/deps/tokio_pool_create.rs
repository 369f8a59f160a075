//! A pool of connections looks whether it may make another one, makes it, and
//! counts it then: those that look while one is made make too many. The place
//! is now taken in the same lock that looks, and given back if it fails.
//@ finding: create
use std::collections::VecDeque;
use std::sync::Mutex;

pub trait Manager: Send + Sync {
    type Connection: Send;
    fn connect(&self) -> impl Future<Output = Result<Self::Connection, String>> + Send;
    fn is_valid(&self, connection: &mut Self::Connection) -> impl Future<Output = bool> + Send;
}

struct Slots<C> {
    idle: VecDeque<C>,
    size: usize,
}

pub struct Pool<M: Manager> {
    manager: M,
    slots: Mutex<Slots<M::Connection>>,
    max: usize,
}

impl<M: Manager> Pool<M> {
    fn pop(&self) -> Option<M::Connection> {
        self.slots.lock().unwrap().idle.pop_front()
    }

    #[cfg(not(fixed))]
    async fn create(&self) -> Result<M::Connection, String> {
        let size = self.slots.lock().unwrap().size;
        if size >= self.max {
            return Err("full".to_owned());
        }
        let connection = self.manager.connect().await?;
        self.slots.lock().unwrap().size = size + 1;
        Ok(connection)
    }

    #[cfg(fixed)]
    async fn create(&self) -> Result<M::Connection, String> {
        {
            let mut slots = self.slots.lock().unwrap();
            if slots.size >= self.max {
                return Err("full".to_owned());
            }
            slots.size += 1;
        }
        match self.manager.connect().await {
            Ok(connection) => Ok(connection),
            Err(error) => {
                self.slots.lock().unwrap().size -= 1;
                Err(error)
            }
        }
    }

    pub async fn get(&self) -> Result<M::Connection, String> {
        while let Some(mut connection) = self.pop() {
            if self.manager.is_valid(&mut connection).await {
                return Ok(connection);
            }
            self.slots.lock().unwrap().size -= 1;
        }
        self.create().await
    }

    pub async fn put(&self, connection: M::Connection) {
        self.slots.lock().unwrap().idle.push_back(connection);
    }
}
