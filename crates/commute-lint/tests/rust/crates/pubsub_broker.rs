//! Topics, subscriptions with bounded backlogs, and a dispatcher thread.

pub mod message {
    use std::sync::Arc;

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct TopicName(Arc<str>);

    impl From<&str> for TopicName {
        fn from(name: &str) -> Self {
            TopicName(Arc::from(name))
        }
    }

    #[derive(Clone, Debug)]
    pub struct Message<T> {
        pub sequence: u64,
        pub body: Arc<T>,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum BrokerError {
        NoSuchTopic,
        TooManySubscribers,
        Closed,
    }
}

pub mod topic {
    use crate::message::{BrokerError, Message};
    use std::collections::VecDeque;
    use std::sync::{Arc, Condvar, Mutex, Weak};
    use std::time::Duration;

    pub(crate) struct Mailbox<T> {
        backlog: Mutex<VecDeque<Message<T>>>,
        arrived: Condvar,
        bound: usize,
    }

    impl<T> Mailbox<T> {
        fn new(bound: usize) -> Self {
            Mailbox {
                backlog: Mutex::new(VecDeque::with_capacity(bound)),
                arrived: Condvar::new(),
                bound,
            }
        }

        fn len(&self) -> usize {
            self.backlog.lock().unwrap().len()
        }

        /// BUG check-then-act: the backlog grows above its bound.
        #[cfg(not(fixed))]
        fn deliver(&self, message: Message<T>) -> bool {
            if self.len() == self.bound {
                return false;
            }
            self.backlog.lock().unwrap().push_back(message);
            self.arrived.notify_one();
            true
        }

        #[cfg(fixed)]
        fn deliver(&self, message: Message<T>) -> bool {
            let mut backlog = self.backlog.lock().unwrap();
            if backlog.len() == self.bound {
                return false;
            }
            backlog.push_back(message);
            self.arrived.notify_one();
            true
        }

        /// RIGHT: a loop around the wait.
        fn take(&self, patience: Duration) -> Option<Message<T>> {
            let backlog = self.backlog.lock().unwrap();
            let (mut backlog, _) = self
                .arrived
                .wait_timeout_while(backlog, patience, |backlog| backlog.is_empty())
                .unwrap();
            backlog.pop_front()
        }
    }

    /// The end that reads. When it is gone, the topic forgets it.
    pub struct Subscription<T> {
        mailbox: Arc<Mailbox<T>>,
    }

    impl<T> Subscription<T> {
        pub fn recv(&self, patience: Duration) -> Option<Message<T>> {
            self.mailbox.take(patience)
        }

        pub fn backlog(&self) -> usize {
            self.mailbox.len()
        }
    }

    struct Log {
        sequence: u64,
        published: u64,
        dropped: u64,
    }

    pub struct Topic<T> {
        subscribers: Mutex<Vec<Weak<Mailbox<T>>>>,
        log: Mutex<Log>,
        max_subscribers: usize,
    }

    impl<T> Topic<T> {
        pub(crate) fn new(max_subscribers: usize) -> Self {
            Topic {
                subscribers: Mutex::new(Vec::new()),
                log: Mutex::new(Log {
                    sequence: 0,
                    published: 0,
                    dropped: 0,
                }),
                max_subscribers,
            }
        }

        pub fn subscriber_count(&self) -> usize {
            let subscribers = self.subscribers.lock().unwrap();
            subscribers.iter().filter(|weak| weak.strong_count() > 0).count()
        }

        /// RIGHT: bound and push under one guard.
        pub fn subscribe(&self, bound: usize) -> Result<Subscription<T>, BrokerError> {
            let mut subscribers = self.subscribers.lock().unwrap();
            subscribers.retain(|weak| weak.strong_count() > 0);
            if subscribers.len() >= self.max_subscribers {
                return Err(BrokerError::TooManySubscribers);
            }
            let mailbox = Arc::new(Mailbox::new(bound));
            subscribers.push(Arc::downgrade(&mailbox));
            Ok(Subscription { mailbox })
        }

        /// BUG stale value written back: two messages get one sequence number.
        #[cfg(not(fixed))]
        fn next_sequence(&self) -> u64 {
            let last = self.log.lock().unwrap().sequence;
            let next = last + 1;
            self.log.lock().unwrap().sequence = next;
            next
        }

        #[cfg(fixed)]
        fn next_sequence(&self) -> u64 {
            let mut log = self.log.lock().unwrap();
            log.sequence += 1;
            log.sequence
        }

        /// RIGHT: a copy of the subscribers; who comes later gets the next message.
        pub fn publish(&self, body: T) -> usize {
            let sequence = self.next_sequence();
            let body = Arc::new(body);
            let mailboxes: Vec<Arc<Mailbox<T>>> = {
                let subscribers = self.subscribers.lock().unwrap();
                subscribers.iter().filter_map(Weak::upgrade).collect()
            };
            let mut reached = 0;
            for mailbox in &mailboxes {
                let message = Message {
                    sequence,
                    body: Arc::clone(&body),
                };
                if mailbox.deliver(message) {
                    reached += 1;
                }
            }
            let mut log = self.log.lock().unwrap();
            log.published += 1;
            log.dropped += (mailboxes.len() - reached) as u64;
            reached
        }

        /// BUG pair: published and dropped are written together.
        #[cfg(not(fixed))]
        pub fn loss(&self) -> f64 {
            let dropped = self.log.lock().unwrap().dropped;
            let published = self.log.lock().unwrap().published;
            dropped as f64 / published.max(1) as f64
        }

        #[cfg(fixed)]
        pub fn loss(&self) -> f64 {
            let log = self.log.lock().unwrap();
            log.dropped as f64 / log.published.max(1) as f64
        }
    }
}

pub mod broker {
    use crate::message::{BrokerError, TopicName};
    use crate::topic::{Subscription, Topic};
    use std::collections::HashMap;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::sync::{Arc, Mutex, RwLock};
    use std::thread;

    type Topics<T> = RwLock<HashMap<TopicName, Arc<Topic<T>>>>;

    pub struct Broker<T> {
        topics: Arc<Topics<T>>,
        outgoing: Mutex<Sender<(TopicName, T)>>,
        closed: AtomicBool,
        max_subscribers: usize,
    }

    impl<T: Send + Sync + 'static> Broker<T> {
        pub fn new(max_subscribers: usize) -> Self {
            let topics: Arc<Topics<T>> = Arc::default();
            let (outgoing, incoming) = mpsc::channel();
            let shared = Arc::clone(&topics);
            thread::spawn(move || dispatch(&shared, incoming));
            Broker {
                topics,
                outgoing: Mutex::new(outgoing),
                closed: AtomicBool::new(false),
                max_subscribers,
            }
        }

        fn find(&self, name: &TopicName) -> Option<Arc<Topic<T>>> {
            self.topics.read().unwrap().get(name).cloned()
        }

        /// BUG check-then-act: a topic that another made in between is replaced, with its subscribers.
        #[cfg(not(fixed))]
        pub fn topic(&self, name: &TopicName) -> Arc<Topic<T>> {
            match self.find(name) {
                Some(topic) => topic,
                None => {
                    let topic = Arc::new(Topic::new(self.max_subscribers));
                    let mut topics = self.topics.write().unwrap();
                    topics.insert(name.clone(), Arc::clone(&topic));
                    topic
                }
            }
        }

        /// RIGHT: `entry` under the second lock.
        #[cfg(fixed)]
        pub fn topic(&self, name: &TopicName) -> Arc<Topic<T>> {
            if let Some(topic) = self.find(name) {
                return topic;
            }
            let mut topics = self.topics.write().unwrap();
            let topic = topics
                .entry(name.clone())
                .or_insert_with(|| Arc::new(Topic::new(self.max_subscribers)));
            Arc::clone(topic)
        }

        pub fn subscribe(
            &self,
            name: &TopicName,
            bound: usize,
        ) -> Result<Subscription<T>, BrokerError> {
            if self.closed.load(Ordering::Acquire) {
                return Err(BrokerError::Closed);
            }
            self.topic(name).subscribe(bound)
        }

        pub fn publish(&self, name: &TopicName, body: T) -> Result<usize, BrokerError> {
            let topic = self.find(name).ok_or(BrokerError::NoSuchTopic)?;
            Ok(topic.publish(body))
        }

        /// RIGHT: the other thread looks the topic up itself.
        pub fn publish_later(&self, name: TopicName, body: T) -> Result<(), BrokerError> {
            let outgoing = self.outgoing.lock().unwrap().clone();
            outgoing.send((name, body)).map_err(|_| BrokerError::Closed)
        }

        /// RIGHT: what has no subscribers is looked for and removed in one section.
        pub fn sweep(&self) -> usize {
            let mut topics = self.topics.write().unwrap();
            let before = topics.len();
            topics.retain(|_, topic| Arc::strong_count(topic) > 1 || topic.subscriber_count() > 0);
            before - topics.len()
        }

        /// BUG other object: somebody subscribes in between, to a topic that is then gone.
        #[cfg(not(fixed))]
        pub fn retire(&self, name: &TopicName) -> Result<bool, BrokerError> {
            let topic = self.find(name).ok_or(BrokerError::NoSuchTopic)?;
            if topic.subscriber_count() > 0 {
                return Ok(false);
            }
            self.topics.write().unwrap().remove(name);
            Ok(true)
        }

        #[cfg(fixed)]
        pub fn retire(&self, name: &TopicName) -> Result<bool, BrokerError> {
            let mut topics = self.topics.write().unwrap();
            let topic = topics.get(name).ok_or(BrokerError::NoSuchTopic)?;
            if Arc::strong_count(topic) > 1 || topic.subscriber_count() > 0 {
                return Ok(false);
            }
            topics.remove(name);
            Ok(true)
        }

        /// RIGHT: a snapshot of names, then one look each; a topic that is gone counts nothing.
        pub fn census(&self) -> Vec<(TopicName, usize)> {
            let names: Vec<TopicName> = self.topics.read().unwrap().keys().cloned().collect();
            names
                .into_iter()
                .filter_map(|name| {
                    let count = self.find(&name)?.subscriber_count();
                    Some((name, count))
                })
                .collect()
        }

        /// RIGHT: the first who closes is known by the swap.
        pub fn close(&self) -> bool {
            if self.closed.swap(true, Ordering::AcqRel) {
                return false;
            }
            self.topics.write().unwrap().clear();
            true
        }
    }

    fn dispatch<T>(topics: &Topics<T>, incoming: Receiver<(TopicName, T)>) {
        for (name, body) in incoming {
            let topic = topics.read().unwrap().get(&name).cloned();
            if let Some(topic) = topic {
                topic.publish(body);
            }
        }
    }
}

pub use broker::Broker;
pub use message::{BrokerError, Message, TopicName};
pub use topic::{Subscription, Topic};
