//! A pool of database connections (clickhouse-rs #23, mysql_async #36): those
//! that are being opened are taken out, polled without the lock, and put back.
//! Who counts open ones meanwhile sees fewer and opens more than the limit. The
//! lock is now held while they are polled.
//@ finding: Pool
use std::sync::{Arc, Mutex};
use std::task::Poll;

pub struct Client {
    pub id: u64,
}

pub struct Connecting {
    id: u64,
    rounds: u8,
}

impl Connecting {
    fn poll(&mut self) -> Poll<Result<Client, String>> {
        match self.rounds {
            0 => Poll::Ready(Ok(Client { id: self.id })),
            255 => Poll::Ready(Err("refused".to_owned())),
            _ => {
                self.rounds -= 1;
                Poll::Pending
            }
        }
    }
}

#[derive(Default)]
struct Inner {
    new: Vec<Connecting>,
    idle: Vec<Client>,
    ongoing: usize,
}

impl Inner {
    fn conn_count(&self) -> usize {
        self.new.len() + self.idle.len() + self.ongoing
    }
}

#[derive(Clone)]
pub struct Pool {
    inner: Arc<Mutex<Inner>>,
    max: usize,
}

impl Pool {
    fn with_inner<R>(&self, f: impl FnOnce(&mut Inner) -> R) -> R {
        f(&mut self.inner.lock().unwrap())
    }

    #[cfg(not(fixed))]
    fn handle_futures(&self) -> Result<(), String> {
        let connecting = self.with_inner(|inner| std::mem::take(&mut inner.new));
        let mut pending = Vec::new();
        let mut ready = Vec::new();
        for mut future in connecting {
            match future.poll() {
                Poll::Ready(client) => ready.push(client?),
                Poll::Pending => pending.push(future),
            }
        }
        self.with_inner(|inner| {
            inner.new = pending;
            inner.idle.extend(ready);
        });
        Ok(())
    }

    #[cfg(fixed)]
    fn handle_futures(&self) -> Result<(), String> {
        self.with_inner(|inner| {
            for mut future in std::mem::take(&mut inner.new) {
                match future.poll() {
                    Poll::Ready(client) => inner.idle.push(client?),
                    Poll::Pending => inner.new.push(future),
                }
            }
            Ok(())
        })
    }

    pub fn poll(&self, id: u64) -> Poll<Result<Client, String>> {
        if let Err(error) = self.handle_futures() {
            return Poll::Ready(Err(error));
        }
        let max = self.max;
        self.with_inner(|inner| match inner.idle.pop() {
            Some(client) => {
                inner.ongoing += 1;
                Poll::Ready(Ok(client))
            }
            None => {
                if inner.conn_count() < max {
                    inner.new.push(Connecting { id, rounds: 3 });
                }
                Poll::Pending
            }
        })
    }

    pub fn give_back(&self, client: Client) {
        self.with_inner(|inner| {
            inner.ongoing -= 1;
            inner.idle.push(client);
        });
    }
}
