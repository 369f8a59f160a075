//! Sessions by token with expiry, users who may have a few of them, and a binary that serves from threads.

pub mod token {
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Token(u64);

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct UserId(pub String);

    /// Tokens that do not repeat.
    pub struct TokenSource {
        state: AtomicU64,
    }

    impl TokenSource {
        pub fn seeded(seed: u64) -> Self {
            TokenSource {
                state: AtomicU64::new(seed | 1),
            }
        }

        /// BUG atomic load … store: two threads get one token.
        #[cfg(not(fixed))]
        pub fn next(&self) -> Token {
            let state = self.state.load(Ordering::Relaxed);
            let next = scramble(state);
            self.state.store(next, Ordering::Relaxed);
            Token(next)
        }

        #[cfg(fixed)]
        pub fn next(&self) -> Token {
            let mut state = self.state.load(Ordering::Relaxed);
            loop {
                let next = scramble(state);
                match self.state.compare_exchange_weak(state, next, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => return Token(next),
                    Err(actual) => state = actual,
                }
            }
        }
    }

    fn scramble(mut x: u64) -> u64 {
        x ^= x << 13;
        x ^= x >> 7;
        x ^ (x << 17)
    }
}

pub mod session {
    use crate::token::UserId;
    use std::collections::HashMap;
    use std::time::{Duration, Instant};

    #[derive(Clone, Debug)]
    pub struct Session {
        pub user: UserId,
        pub expires: Instant,
        pub data: HashMap<String, String>,
        pub revision: u32,
    }

    impl Session {
        pub fn new(user: UserId, ttl: Duration) -> Self {
            Session {
                user,
                expires: Instant::now() + ttl,
                data: HashMap::new(),
                revision: 0,
            }
        }

        pub fn is_live(&self) -> bool {
            self.expires > Instant::now()
        }
    }
}

pub mod store {
    use crate::session::Session;
    use crate::token::{Token, TokenSource, UserId};
    use std::collections::HashMap;
    use std::fmt;
    use std::sync::{Mutex, RwLock};
    use std::time::{Duration, Instant};

    #[derive(Debug, PartialEq, Eq)]
    pub enum SessionError {
        Expired,
        Unknown,
        TooMany(usize),
        Locked,
    }

    impl fmt::Display for SessionError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }

    impl std::error::Error for SessionError {}

    #[derive(Default)]
    struct Users {
        sessions: HashMap<UserId, Vec<Token>>,
        notes: HashMap<UserId, String>,
    }

    pub struct Store {
        sessions: RwLock<HashMap<Token, Session>>,
        users: Mutex<Users>,
        locked: RwLock<Vec<UserId>>,
        tokens: TokenSource,
        ttl: Duration,
        per_user: usize,
    }

    impl Store {
        pub fn new(seed: u64, ttl: Duration, per_user: usize) -> Self {
            Store {
                sessions: RwLock::new(HashMap::new()),
                users: Mutex::new(Users::default()),
                locked: RwLock::new(Vec::new()),
                tokens: TokenSource::seeded(seed),
                ttl,
                per_user,
            }
        }

        pub fn session_count(&self, user: &UserId) -> usize {
            let users = self.users.lock().unwrap();
            users.sessions.get(user).map_or(0, Vec::len)
        }

        /// BUG check-then-act: more sessions than one user may have.
        #[cfg(not(fixed))]
        pub fn login(&self, user: UserId) -> Result<Token, SessionError> {
            if self.is_locked(&user) {
                return Err(SessionError::Locked);
            }
            let count = self.session_count(&user);
            if count >= self.per_user {
                return Err(SessionError::TooMany(count));
            }
            let token = self.tokens.next();
            self.users
                .lock()
                .unwrap()
                .sessions
                .entry(user.clone())
                .or_default()
                .push(token);
            self.sessions
                .write()
                .unwrap()
                .insert(token, Session::new(user, self.ttl));
            Ok(token)
        }

        #[cfg(fixed)]
        pub fn login(&self, user: UserId) -> Result<Token, SessionError> {
            if self.is_locked(&user) {
                return Err(SessionError::Locked);
            }
            let token = self.tokens.next();
            {
                let mut users = self.users.lock().unwrap();
                let held = users.sessions.entry(user.clone()).or_default();
                if held.len() >= self.per_user {
                    return Err(SessionError::TooMany(held.len()));
                }
                held.push(token);
            }
            self.sessions
                .write()
                .unwrap()
                .insert(token, Session::new(user, self.ttl));
            Ok(token)
        }

        /// RIGHT: a note only for who is there, in one section.
        pub fn annotate(&self, user: &UserId, note: &str) -> bool {
            let mut users = self.users.lock().unwrap();
            if !users.sessions.contains_key(user) {
                return false;
            }
            users.notes.insert(user.clone(), note.to_owned());
            true
        }

        /// BUG other object: who logs in and is noted in between loses the note.
        #[cfg(not(fixed))]
        pub fn forget_note(&self, user: &UserId) -> bool {
            if self.session_count(user) > 0 {
                return false;
            }
            self.users.lock().unwrap().notes.remove(user).is_some()
        }

        #[cfg(fixed)]
        pub fn forget_note(&self, user: &UserId) -> bool {
            let mut users = self.users.lock().unwrap();
            if users.sessions.get(user).map_or(0, Vec::len) > 0 {
                return false;
            }
            users.notes.remove(user).is_some()
        }

        fn is_locked(&self, user: &UserId) -> bool {
            self.locked.read().unwrap().contains(user)
        }

        /// RIGHT: looks and pushes in one section.
        pub fn lock_user(&self, user: &UserId) -> bool {
            let mut locked = self.locked.write().unwrap();
            if locked.contains(user) {
                return false;
            }
            locked.push(user.clone());
            true
        }

        pub fn load(&self, token: Token) -> Result<Session, SessionError> {
            let sessions = self.sessions.read().unwrap();
            let session = sessions.get(&token).ok_or(SessionError::Unknown)?;
            if session.is_live() {
                Ok(session.clone())
            } else {
                Err(SessionError::Expired)
            }
        }

        /// BUG stale value written back: an edit of another request is lost, and a session that was
        /// logged out is back.
        #[cfg(not(fixed))]
        pub fn set(&self, token: Token, key: &str, value: &str) -> Result<u32, SessionError> {
            let mut session = self.load(token)?;
            session.data.insert(key.to_owned(), value.to_owned());
            session.revision += 1;
            let revision = session.revision;
            self.sessions.write().unwrap().insert(token, session);
            Ok(revision)
        }

        #[cfg(fixed)]
        pub fn set(&self, token: Token, key: &str, value: &str) -> Result<u32, SessionError> {
            let mut sessions = self.sessions.write().unwrap();
            let session = sessions.get_mut(&token).ok_or(SessionError::Unknown)?;
            if !session.is_live() {
                return Err(SessionError::Expired);
            }
            session.data.insert(key.to_owned(), value.to_owned());
            session.revision += 1;
            Ok(session.revision)
        }

        /// RIGHT: writes only if the revision is still the one that was read.
        pub fn edit<F>(&self, token: Token, mut change: F) -> Result<u32, SessionError>
        where
            F: FnMut(&mut HashMap<String, String>),
        {
            loop {
                let mut session = self.load(token)?;
                change(&mut session.data);
                let mut sessions = self.sessions.write().unwrap();
                let current = sessions.get_mut(&token).ok_or(SessionError::Unknown)?;
                if current.revision != session.revision {
                    continue;
                }
                session.revision += 1;
                let revision = session.revision;
                *current = session;
                return Ok(revision);
            }
        }

        /// RIGHT: touches what is there, under one lock.
        pub fn renew(&self, token: Token) -> Option<Instant> {
            let mut sessions = self.sessions.write().unwrap();
            let session = sessions.get_mut(&token).filter(|session| session.is_live())?;
            session.expires = Instant::now() + self.ttl;
            Some(session.expires)
        }

        /// RIGHT: the session is taken out first; who has it alone clears the list.
        pub fn logout(&self, token: Token) -> Result<UserId, SessionError> {
            let session = self
                .sessions
                .write()
                .unwrap()
                .remove(&token)
                .ok_or(SessionError::Unknown)?;
            let mut users = self.users.lock().unwrap();
            if let Some(held) = users.sessions.get_mut(&session.user) {
                held.retain(|other| *other != token);
            }
            Ok(session.user)
        }

        /// BUG check-then-act: a session that was renewed in between is removed.
        #[cfg(not(fixed))]
        pub fn expire(&self, token: Token) -> bool {
            let live = match self.sessions.read().unwrap().get(&token) {
                Some(session) => session.is_live(),
                None => return false,
            };
            if !live {
                self.sessions.write().unwrap().remove(&token);
            }
            !live
        }

        #[cfg(fixed)]
        pub fn expire(&self, token: Token) -> bool {
            let mut sessions = self.sessions.write().unwrap();
            let Some(session) = sessions.get(&token) else { return false };
            let live = session.is_live();
            if !live {
                sessions.remove(&token);
            }
            !live
        }

        /// RIGHT: `retain` looks and removes at once.
        pub fn sweep(&self) -> usize {
            let mut sessions = self.sessions.write().unwrap();
            let before = sessions.len();
            sessions.retain(|_, session| session.is_live());
            before - sessions.len()
        }

        /// RIGHT: the numbers are for a log.
        pub fn log_sizes(&self) {
            let sessions = self.sessions.read().unwrap().len();
            let users = self.users.lock().unwrap().sessions.len();
            println!("{sessions} sessions of {users} users");
        }
    }
}

pub mod server {
    use crate::store::{SessionError, Store};
    use crate::token::{Token, UserId};
    use std::sync::mpsc::{self, SyncSender};
    use std::sync::{Arc, Mutex};
    use std::thread;

    pub enum Request {
        Login(UserId),
        Set(Token, String, String),
        Logout(Token),
        Expire(Token),
    }

    pub fn handle(store: &Store, request: Request) -> Result<String, SessionError> {
        Ok(match request {
            Request::Login(user) => format!("{:?}", store.login(user)?),
            Request::Set(token, key, value) => format!("{}", store.set(token, &key, &value)?),
            Request::Logout(token) => store.logout(token)?.0,
            Request::Expire(token) => store.expire(token).to_string(),
        })
    }

    /// RIGHT: each worker takes one request at a time.
    pub fn serve(store: Arc<Store>, workers: usize) -> SyncSender<Request> {
        let (sender, receiver) = mpsc::sync_channel(64);
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..workers {
            let store = Arc::clone(&store);
            let receiver = Arc::clone(&receiver);
            thread::spawn(move || loop {
                let request = receiver.lock().unwrap().recv();
                let Ok(request) = request else { break };
                if let Err(error) = handle(&store, request) {
                    eprintln!("{error}");
                }
            });
        }
        let sweeper = Arc::downgrade(&store);
        thread::spawn(move || {
            while let Some(store) = sweeper.upgrade() {
                store.sweep();
                store.log_sizes();
                drop(store);
                thread::sleep(std::time::Duration::from_secs(30));
            }
        });
        sender
    }
}

pub use server::{serve, Request};
pub use store::{SessionError, Store};
