//! A pool with a queue of those who wait (l337 #7): a connection that comes back
//! finds nobody waiting and goes to the idle ones, while somebody has found none
//! idle and is about to wait. Both are now under one lock.
//@ finding: ConnectionPool
use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};

pub struct Live<T> {
    conn: T,
    uses: u32,
}

#[derive(Default)]
struct Queues<T> {
    idle: VecDeque<Live<T>>,
    waiting: VecDeque<Sender<Live<T>>>,
}

struct Inner<T> {
    #[cfg(not(fixed))]
    conns: Mutex<VecDeque<Live<T>>>,
    #[cfg(not(fixed))]
    waiting: Mutex<VecDeque<Sender<Live<T>>>>,
    #[cfg(fixed)]
    queues: Mutex<Queues<T>>,
}

pub struct ConnectionPool<T> {
    inner: Arc<Inner<T>>,
}

pub enum Checkout<T> {
    Now(Live<T>),
    Later(Receiver<Live<T>>),
}

impl<T: Send> ConnectionPool<T> {
    #[cfg(not(fixed))]
    pub fn connection(&self) -> Checkout<T> {
        if let Some(mut live) = self.inner.conns.lock().unwrap().pop_front() {
            live.uses += 1;
            return Checkout::Now(live);
        }
        let (sender, receiver) = mpsc::channel();
        self.inner.waiting.lock().unwrap().push_back(sender);
        Checkout::Later(receiver)
    }

    #[cfg(not(fixed))]
    pub fn put_back(&self, mut live: Live<T>) {
        loop {
            let waiter = self.inner.waiting.lock().unwrap().pop_front();
            match waiter {
                Some(sender) => match sender.send(live) {
                    Ok(()) => return,
                    Err(error) => live = error.0,
                },
                None => break,
            }
        }
        self.inner.conns.lock().unwrap().push_back(live);
    }

    #[cfg(fixed)]
    pub fn connection(&self) -> Checkout<T> {
        let mut queues = self.inner.queues.lock().unwrap();
        if let Some(mut live) = queues.idle.pop_front() {
            live.uses += 1;
            return Checkout::Now(live);
        }
        let (sender, receiver) = mpsc::channel();
        queues.waiting.push_back(sender);
        Checkout::Later(receiver)
    }

    #[cfg(fixed)]
    pub fn put_back(&self, mut live: Live<T>) {
        let mut queues = self.inner.queues.lock().unwrap();
        while let Some(sender) = queues.waiting.pop_front() {
            match sender.send(live) {
                Ok(()) => return,
                Err(error) => live = error.0,
            }
        }
        queues.idle.push_back(live);
    }
}
