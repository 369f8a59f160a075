//! Tasks that depend on what no exploration sees. Nothing here runs but when it is explored.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use commute::sync::Arc;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// Ready when it was opened; what it knows is in no object of ours.
#[derive(Clone, Default)]
struct Gate(std::sync::Arc<std::sync::Mutex<(bool, Option<Waker>)>>);

impl Future for Gate {
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

#[commute::test(explored_only)]
async fn awaits_what_keeps_its_waker_elsewhere() {
    let (gate, number) = (Gate::default(), Arc::new(AtomicU32::new(0)));
    let opened = gate.clone();
    let task = commute::future::spawn(async move {
        number.load(SeqCst);
        let mut state = opened.0.lock().unwrap();
        state.0 = true;
        state.1.take().into_iter().for_each(Waker::wake);
    });
    gate.await;
    task.await;
}

#[commute::test(explored_only)]
fn says_that_a_runtime_is_not_there() {
    panic!("there is no reactor running, must be called from the context of a Tokio 1.x runtime");
}
