//! Threads of a test that may be exchanged. Others see them together, as one object.

use std::cmp::Ordering;
use std::panic::Location;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};
use std::thread::Result;

use commute_explore::models;
use commute_explore::runtime::{
    Arg, Call, First, Mark, Object, Returned, spawn_like, stuck, visit,
};

use super::{Explored, Packet, job, shown};

/// Threads that all do the same.
#[derive(Debug)]
pub(crate) struct Group<T> {
    handle: Mark,
    threads: Vec<(Arc<Explored>, Packet<T>)>,
}

fn first(at: &'static Location<'static>) -> First {
    let model = Arc::new(models::Threads);
    First::new(model, models::Threads::initial(), "threads", Some(at))
}

impl<T> Group<T> {
    /// Starts them.
    pub(crate) fn start<F>(all: Vec<F>, at: &'static Location<'static>) -> Group<T>
    where
        F: FnOnce() -> T + 'static,
        T: 'static,
    {
        let mut group = Group {
            handle: Mark::default(),
            threads: Vec::with_capacity(all.len()),
        };
        for (rank, f) in all.into_iter().enumerate() {
            let explored = Arc::new(Explored {
                is_like_others: true,
                ..Explored::default()
            });
            let packet: Packet<T> = Arc::default();
            let job = job(Arc::clone(&explored), Arc::clone(&packet), f);
            let describe = || first(at);
            let objects = [Object {
                mark: &group.handle,
                first: &describe,
            }];
            let call = Call::new(&objects, "spawn", &[], at);
            match spawn_like(&call, rank as u32, Box::new(job)) {
                Some(thread) => explored.number.store(thread.0, Relaxed),
                None => stuck("a thread is started"),
            }
            group.threads.push((explored, packet));
        }
        group
    }

    /// Waits for the end of all.
    pub(crate) fn join(self, at: &'static Location<'static>) -> Result<Vec<T>> {
        if !self.threads.is_empty() {
            let describe = || first(at);
            let objects = [Object {
                mark: &self.handle,
                first: &describe,
            }];
            let numbers = self.threads.iter().map(|(thread, _)| thread.number());
            let args: Vec<Arg> = numbers.map(|number| Arg::Int(number.into())).collect();
            visit(&Call::new(&objects, "join", &args, at), |_| ());
        }
        let mut results = Vec::new();
        for (_, packet) in self.threads {
            let mut packet = packet.lock().unwrap_or_else(PoisonError::into_inner);
            match packet.take() {
                Some(result) => results.push(result?),
                None => stuck("the end of threads is waited for"),
            }
        }
        results.sort_by(order);
        Ok(results)
    }
}

/// What was returned is put in order, as far as it can be compared: who returned what is
/// not to be seen.
fn order<T>(one: &T, other: &T) -> Ordering {
    match (shown(one), shown(other)) {
        (Returned::Value(one), Returned::Value(other)) => one.cmp(&other),
        _ => Ordering::Equal,
    }
}
