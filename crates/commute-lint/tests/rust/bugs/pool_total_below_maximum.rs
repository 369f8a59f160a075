//! A pool opens a connection if there are few, and counts it later.
//@ finding: Pool::checkout
use std::sync::Mutex;

pub struct Connection {
    number: usize,
}

impl Connection {
    fn open(number: usize) -> std::io::Result<Connection> {
        Ok(Connection { number })
    }
    pub fn number(&self) -> usize {
        self.number
    }
}

pub struct Pool {
    idle: Mutex<Vec<Connection>>,
    total: Mutex<usize>,
    maximum: usize,
}

impl Pool {
    pub fn new(maximum: usize) -> Pool {
        Pool {
            idle: Mutex::new(Vec::new()),
            total: Mutex::new(0),
            maximum,
        }
    }
    #[cfg(not(fixed))]
    pub fn checkout(&self) -> std::io::Result<Option<Connection>> {
        if let Some(connection) = self.idle.lock().unwrap().pop() {
            return Ok(Some(connection));
        }
        let total = *self.total.lock().unwrap();
        if total >= self.maximum {
            return Ok(None);
        }
        let connection = Connection::open(total)?;
        *self.total.lock().unwrap() += 1;
        Ok(Some(connection))
    }
    #[cfg(fixed)]
    pub fn checkout(&self) -> std::io::Result<Option<Connection>> {
        if let Some(connection) = self.idle.lock().unwrap().pop() {
            return Ok(Some(connection));
        }
        let mut total = self.total.lock().unwrap();
        if *total >= self.maximum {
            return Ok(None);
        }
        let connection = Connection::open(*total)?;
        *total += 1;
        Ok(Some(connection))
    }
    pub fn give_back(&self, connection: Connection) {
        self.idle.lock().unwrap().push(connection);
    }
    pub fn discard(&self, connection: Connection) {
        drop(connection);
        *self.total.lock().unwrap() -= 1;
    }
}
