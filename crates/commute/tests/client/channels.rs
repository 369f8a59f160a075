//! Channels.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::time::Duration;

use super::sync::mpsc::{
    IntoIter, Iter, Receiver, RecvError, RecvTimeoutError, SendError, Sender, SyncSender, TryIter,
    TryRecvError, TrySendError, channel, sync_channel,
};
use super::sync::{Arc, Barrier, Mutex};
use super::thread;

const SHORT: Duration = Duration::from_millis(5);
const LONG: Duration = Duration::from_secs(60);

#[test]
fn messages_come_in_order() {
    let (sender, receiver): (Sender<u32>, Receiver<u32>) = channel();
    for i in 0..10 {
        sender.send(i).unwrap();
    }
    assert_eq!(receiver.recv(), Ok(0));
    assert_eq!(receiver.try_recv(), Ok(1));
    assert_eq!(receiver.recv_timeout(SHORT), Ok(2));
    assert_eq!(receiver.try_iter().take(2).collect::<Vec<_>>(), [3, 4]);
    drop(sender);
    assert_eq!(receiver.iter().take(2).collect::<Vec<_>>(), [5, 6]);
    let mut rest = Vec::new();
    for message in &receiver {
        rest.push(message);
    }
    assert_eq!(rest, [7, 8, 9]);
    assert_eq!(receiver.recv(), Err(RecvError));
    assert_eq!(receiver.into_iter().next(), None);
}

#[test]
fn many_senders() {
    let (sender, receiver) = channel();
    let threads: Vec<_> = (0..4)
        .map(|t| {
            let sender = sender.clone();
            thread::spawn(move || {
                for i in 0..100 {
                    sender.send(t * 1000 + i).unwrap();
                }
            })
        })
        .collect();
    drop(sender);
    let mut last = [-1; 4];
    for message in receiver {
        let (t, i) = (message as usize / 1000, message % 1000);
        assert_eq!(i, last[t] + 1);
        last[t] = i;
    }
    assert_eq!(last, [99; 4]);
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
}

#[test]
fn bounded() {
    for bound in [1, 3, 300] {
        let (sender, receiver): (SyncSender<u32>, _) = sync_channel(bound);
        thread::scope(|scope| {
            for t in 0..2 {
                let sender = sender.clone();
                scope.spawn(move || (0..200).for_each(|i| sender.send(t * 1000 + i).unwrap()));
            }
            drop(sender);
            assert_eq!(receiver.iter().count(), 400);
        });
    }
    let (sender, receiver) = sync_channel(2);
    sender.try_send('a').unwrap();
    sender.try_send('b').unwrap();
    assert_eq!(sender.try_send('c'), Err(TrySendError::Full('c')));
    assert_eq!(receiver.recv(), Ok('a'));
    sender.try_send('d').unwrap();
    drop(receiver);
    assert_eq!(sender.try_send('e'), Err(TrySendError::Disconnected('e')));
    assert_eq!(sender.send('f'), Err(SendError('f')));
}

#[test]
fn handed_over() {
    let (sender, receiver) = sync_channel(0);
    assert_eq!(sender.try_send(0), Err(TrySendError::Full(0)));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    assert_eq!(sender.try_send(0), Err(TrySendError::Full(0)));
    thread::scope(|scope| {
        for t in 0..2 {
            let sender = sender.clone();
            scope.spawn(move || {
                for i in 0..200 {
                    match i % 2 {
                        0 => sender.send(t * 1000 + i).unwrap(),
                        _ => {
                            while sender.try_send(t * 1000 + i).is_err() {
                                thread::yield_now();
                            }
                        }
                    }
                }
            });
        }
        for i in 0..400 {
            match i % 3 {
                0 => drop(receiver.recv().unwrap()),
                1 => while receiver.recv_timeout(Duration::from_micros(50)).is_err() {},
                // A sender may be inside `try_send` alone, and that needs a receiver.
                _ => drop(receiver.try_recv().or_else(|_| receiver.recv()).unwrap()),
            }
        }
    });
    // A sender that waits is received from without waiting.
    let (back, ended) = channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            sender.send(7).unwrap();
            back.send(()).unwrap();
        });
        let message = loop {
            assert_eq!(ended.try_recv(), Err(TryRecvError::Empty));
            match receiver.try_recv() {
                Ok(message) => break message,
                Err(_) => thread::yield_now(),
            }
        };
        assert_eq!(message, 7);
    });
}

#[test]
fn a_receiver_that_goes() {
    let (sender, receiver) = sync_channel(0);
    let blocked = thread::spawn(move || sender.send(String::from("lost")));
    thread::sleep(SHORT);
    drop(receiver);
    let SendError(message) = blocked.join().unwrap().unwrap_err();
    assert_eq!(message, "lost");
    let (sender, receiver) = channel();
    let kept = Arc::new(());
    sender.send(Arc::clone(&kept)).unwrap();
    drop(receiver);
    // What nobody will receive is dropped with the receiver.
    assert_eq!(Arc::strong_count(&kept), 1);
    assert!(sender.send(kept).is_err());
}

#[test]
fn senders_that_go() {
    let (sender, receiver) = channel::<i32>();
    let second = sender.clone();
    let waiting = thread::spawn(move || receiver.recv());
    drop(sender);
    thread::sleep(SHORT);
    drop(second);
    assert_eq!(waiting.join().unwrap(), Err(RecvError));
    let (sender, receiver) = sync_channel::<i32>(1);
    assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    sender.send(1).unwrap();
    drop(sender);
    assert_eq!(receiver.recv_timeout(LONG), Ok(1));
    assert_eq!(
        receiver.recv_timeout(LONG),
        Err(RecvTimeoutError::Disconnected)
    );
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    assert_eq!(receiver.try_iter().next(), None);
}

/// A message whose drop uses the channel that it was in.
#[test]
fn messages_with_drops() {
    struct Noisy(Option<Sender<u32>>);
    impl Drop for Noisy {
        fn drop(&mut self) {
            if let Some(sender) = self.0.take() {
                sender.send(1).unwrap();
            }
        }
    }
    let (notes, noted) = channel();
    let (sender, receiver) = channel();
    sender.send(Noisy(Some(notes.clone()))).unwrap();
    drop(receiver);
    assert_eq!(noted.recv(), Ok(1));
    drop(sender.send(Noisy(Some(notes))));
    assert_eq!(noted.iter().collect::<Vec<_>>(), [1]);
}

#[test]
fn one_receiver_for_several_threads() {
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver);
    let sum = Mutex::new(0);
    let start = Barrier::new(3);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                start.wait();
                loop {
                    let message = receiver.lock().unwrap().recv();
                    match message {
                        Ok(n) => *sum.lock().unwrap() += n,
                        Err(RecvError) => break,
                    }
                }
            });
        }
        start.wait();
        (0..200).for_each(|i| sender.send(i).unwrap());
        drop(sender);
    });
    assert_eq!(sum.into_inner().unwrap(), (0..200).sum::<i32>());
}

#[test]
fn traits() {
    fn has<T: Send + UnwindSafe + RefUnwindSafe + Debug>(_: &T) {}
    fn shared<T: Sync + Clone>(_: &T) {}
    let (sender, receiver) = channel::<u8>();
    has(&sender);
    has(&receiver);
    shared(&sender);
    assert_eq!(
        format!("{sender:?} {receiver:?}"),
        "Sender { .. } Receiver { .. }"
    );
    let (sender, _) = sync_channel::<u8>(1);
    has(&sender);
    shared(&sender);
    assert_eq!(format!("{sender:?}"), "SyncSender { .. }");
    let iter: Iter<'_, u8> = receiver.iter();
    assert_eq!(format!("{iter:?}"), "Iter { rx: Receiver { .. } }");
    let iter: TryIter<'_, u8> = receiver.try_iter();
    assert_eq!(format!("{iter:?}"), "TryIter { rx: Receiver { .. } }");
    let iter: IntoIter<u8> = receiver.into_iter();
    assert_eq!(format!("{iter:?}"), "IntoIter { rx: Receiver { .. } }");
    assert_eq!(RecvError.to_string(), "receiving on a closed channel");
}
