//! Subscriptions of an IPFS node (rust-ipfs #271): when a future is polled it
//! takes the related ones out of the registry in one critical section and puts
//! them back in a second one; a block that arrives between wakes nobody, and
//! those that came are overwritten. There is one critical section now.
//@ finding: SubscriptionFuture
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

pub enum Subscription {
    Ready(Vec<u8>),
    Pending(Option<Waker>),
    Cancelled,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestKind(pub u64);

type Subscriptions = HashMap<RequestKind, HashMap<u64, Subscription>>;

#[derive(Default)]
pub struct SubscriptionRegistry {
    subscriptions: Arc<Mutex<Subscriptions>>,
}

impl SubscriptionRegistry {
    pub fn create(&self, kind: RequestKind, id: u64) -> SubscriptionFuture {
        let mut subscriptions = self.subscriptions.lock().unwrap();
        let related = subscriptions.entry(kind).or_default();
        related.insert(id, Subscription::Pending(None));
        SubscriptionFuture {
            id,
            kind,
            subscriptions: Arc::clone(&self.subscriptions),
        }
    }

    pub fn finish(&self, kind: &RequestKind, block: &[u8]) {
        let mut subscriptions = self.subscriptions.lock().unwrap();
        if let Some(related) = subscriptions.get_mut(kind) {
            for subscription in related.values_mut() {
                let done = Subscription::Ready(block.to_vec());
                if let Subscription::Pending(Some(waker)) = std::mem::replace(subscription, done) {
                    waker.wake();
                }
            }
        }
    }
}

pub struct SubscriptionFuture {
    id: u64,
    kind: RequestKind,
    subscriptions: Arc<Mutex<Subscriptions>>,
}

fn advance(
    related: &mut HashMap<u64, Subscription>,
    id: u64,
    waker: &Waker,
) -> Poll<Option<Vec<u8>>> {
    match related.remove(&id) {
        Some(Subscription::Ready(block)) => Poll::Ready(Some(block)),
        Some(Subscription::Cancelled) | None => Poll::Ready(None),
        Some(Subscription::Pending(_)) => {
            related.insert(id, Subscription::Pending(Some(waker.clone())));
            Poll::Pending
        }
    }
}

impl Future for SubscriptionFuture {
    type Output = Option<Vec<u8>>;

    #[cfg(not(fixed))]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let taken = {
            let mut subscriptions = self.subscriptions.lock().unwrap();
            subscriptions.remove(&self.kind)
        };
        let mut related = match taken {
            Some(related) => related,
            None => return Poll::Ready(None),
        };
        let result = advance(&mut related, self.id, context.waker());
        if !related.is_empty() {
            let mut subscriptions = self.subscriptions.lock().unwrap();
            subscriptions.insert(self.kind, related);
        }
        result
    }

    #[cfg(fixed)]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut subscriptions = self.subscriptions.lock().unwrap();
        let related = match subscriptions.get_mut(&self.kind) {
            Some(related) => related,
            None => return Poll::Ready(None),
        };
        let result = advance(related, self.id, context.waker());
        if related.is_empty() {
            subscriptions.remove(&self.kind);
        }
        result
    }
}
