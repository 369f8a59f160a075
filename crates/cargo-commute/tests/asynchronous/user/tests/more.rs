//! What hides behind combinators, wakers that are kept, and objects that are always ready.
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use commute::future::spawn;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, Mutex};
use futures::future::FutureExt;
use futures::stream::{FuturesUnordered, StreamExt};

async fn add(total: Arc<AtomicU32>) {
    total.fetch_add(1, SeqCst);
}

async fn load_and_store(total: Arc<AtomicU32>) {
    total.store(total.load(SeqCst) + 1, SeqCst);
}

#[commute::test]
async fn tasks_that_are_joined() {
    let total = Arc::new(AtomicU32::new(0));
    let (one, other) = (spawn(add(total.clone())), spawn(add(total.clone())));
    futures::join!(one, other);
    assert_eq!(total.load(SeqCst), 2);
}

#[commute::test]
async fn tasks_in_a_set() {
    let total = Arc::new(AtomicU32::new(0));
    let mut set: FuturesUnordered<_> = (0..2).map(|_| spawn(add(total.clone()))).collect();
    while set.next().await.is_some() {}
    assert_eq!(total.load(SeqCst), 2);
}

#[commute::test]
async fn tasks_lose_an_update() {
    let total = Arc::new(AtomicU32::new(0));
    let (one, other) = (spawn(load_and_store(total.clone())), spawn(load_and_store(total.clone())));
    futures::join!(one, other);
    assert_eq!(total.load(SeqCst), 2, "lost");
}

#[commute::test]
async fn tasks_that_are_selected() {
    let total = Arc::new(AtomicU32::new(0));
    let (one, other) = (spawn(add(total.clone())), spawn(add(total.clone())));
    let ((), other) = futures::future::select(one, other).await.factor_first();
    other.await;
    assert_eq!(total.load(SeqCst), 2);
}

#[commute::test]
async fn a_task_that_is_shared() {
    let total = Arc::new(AtomicU32::new(0));
    let task = spawn(add(total.clone())).shared();
    futures::join!(task.clone(), task);
    assert_eq!(total.load(SeqCst), 1);
}

/// Ready when it is opened. What it knows is in an object of commute.
#[derive(Clone, Default)]
struct Gate(Arc<Mutex<(bool, Vec<Waker>)>>);

impl Gate {
    fn open(&self) {
        let mut gate = self.0.lock().unwrap();
        gate.0 = true;
        gate.1.drain(..).for_each(Waker::wake);
    }
}

impl Future for Gate {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut gate = self.0.lock().unwrap();
        if gate.0 {
            return Poll::Ready(());
        }
        gate.1.push(context.waker().clone());
        Poll::Pending
    }
}

#[commute::test]
async fn a_future_of_the_test() {
    let gate = Gate::default();
    let task = spawn({ let gate = gate.clone(); async move { gate.open() } });
    gate.await;
    task.await;
}

#[commute::test]
async fn a_task_that_yields() {
    let total = Arc::new(AtomicU32::new(0));
    let task = spawn({
        let total = total.clone();
        async move {
            tokio::task::yield_now().await;
            add(total).await;
        }
    });
    add(total.clone()).await;
    task.await;
    assert_eq!(total.load(SeqCst), 2);
}

#[commute::test]
async fn a_channel_of_futures() {
    let (send, receive) = futures::channel::oneshot::channel();
    let total = Arc::new(AtomicU32::new(0));
    let task = spawn({
        let total = total.clone();
        async move {
            total.load(SeqCst);
            send.send(7).unwrap();
        }
    });
    assert_eq!(receive.await, Ok(7));
    task.await;
}

#[commute::test]
async fn a_lock_that_is_free() {
    let lock = Arc::new(tokio::sync::Mutex::new(0));
    let task = spawn({ let lock = lock.clone(); async move { *lock.lock().await += 1 } });
    task.await;
    assert_eq!(*lock.lock().await, 1);
}

#[commute::test]
async fn a_lock_that_is_tried() {
    let lock = Arc::new(tokio::sync::Mutex::new(0));
    let task = spawn({ let lock = lock.clone(); async move { lock.try_lock().is_ok() } });
    assert!(task.await);
}

/// Keeps the waker where nobody sees it.
struct Outside(Arc<std::sync::Mutex<(bool, Option<Waker>)>>);

impl Future for Outside {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.lock().unwrap();
        if state.0 {
            return Poll::Ready(());
        }
        state.1 = Some(context.waker().clone());
        Poll::Pending
    }
}

#[commute::test]
async fn a_waker_that_is_kept_outside() {
    let state = Arc::new(std::sync::Mutex::new((false, None)));
    let total = Arc::new(AtomicU32::new(0));
    let task = spawn({
        let state = state.clone();
        async move {
            total.load(SeqCst);
            let mut state = state.lock().unwrap();
            state.0 = true;
            let waker: Option<Waker> = state.1.take();
            waker.into_iter().for_each(Waker::wake);
        }
    });
    Outside(state).await;
    task.await;
}

/// A set with a task of ours and a channel of tokio's.
#[commute::test]
async fn a_channel_among_tasks() {
    let (send, receive) = tokio::sync::oneshot::channel();
    let total = Arc::new(AtomicU32::new(0));
    let task = spawn({
        let total = total.clone();
        async move {
            total.load(SeqCst);
            send.send(()).unwrap();
        }
    });
    let set = FuturesUnordered::new();
    set.push(async { receive.await.unwrap() }.boxed());
    set.push(spawn(add(total)).boxed());
    assert_eq!(set.count().await, 2);
    task.await;
}

#[commute::test]
async fn a_channel_in_a_select() {
    let (send, receive) = tokio::sync::oneshot::channel::<()>();
    let total = Arc::new(AtomicU32::new(0));
    let task = spawn(add(total));
    futures::future::select(receive, task).await;
    drop(send);
}

#[commute::test]
async fn an_atomic_waker() {
    let waker = Arc::new((futures::task::AtomicWaker::new(), std::sync::atomic::AtomicBool::new(false)));
    let total = Arc::new(AtomicU32::new(0));
    let task = spawn({
        let waker = waker.clone();
        async move {
            total.load(SeqCst);
            waker.1.store(true, SeqCst);
            waker.0.wake();
        }
    });
    futures::future::poll_fn(|context| {
        waker.0.register(context.waker());
        match waker.1.load(SeqCst) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    })
    .await;
    task.await;
}

#[commute::test]
fn a_local_pool() {
    let total = Arc::new(AtomicU32::new(0));
    futures::executor::block_on(add(total.clone()));
    assert_eq!(total.load(SeqCst), 1);
}
