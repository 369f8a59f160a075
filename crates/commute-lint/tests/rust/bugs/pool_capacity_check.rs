//! pool capacity check.
//@ finding: Pool::get
use std::sync::Mutex;
pub struct Connection {
    id: usize,
}
struct Inner {
    idle: Vec<Connection>,
    total: usize,
}
pub struct Pool {
    inner: Mutex<Inner>,
    max: usize,
}
fn open(id: usize) -> Connection {
    Connection { id }
}
impl Pool {
    #[cfg(not(fixed))]
    pub fn get(&self) -> Option<Connection> {
        let total = {
            let mut inner = self.inner.lock().unwrap();
            if let Some(connection) = inner.idle.pop() {
                return Some(connection);
            }
            inner.total
        };
        if total >= self.max {
            return None;
        }
        let connection = open(total);
        self.inner.lock().unwrap().total += 1;
        Some(connection)
    }
    #[cfg(fixed)]
    pub fn get(&self) -> Option<Connection> {
        let total = {
            let mut inner = self.inner.lock().unwrap();
            if let Some(connection) = inner.idle.pop() {
                return Some(connection);
            }
            if inner.total >= self.max {
                return None;
            }
            inner.total += 1;
            inner.total
        };
        Some(open(total))
    }
    pub fn put(&self, connection: Connection) {
        let _ = connection.id;
        self.inner.lock().unwrap().idle.push(connection);
    }
    pub fn discard(&self, _: Connection) {
        self.inner.lock().unwrap().total -= 1;
    }
}
