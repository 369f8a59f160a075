// Methods of objects that others use by their methods only.

/// How often each was seen.
#[derive(Default)]
pub(crate) struct Sessions(DashMap<u32, u32>);

impl Sessions {
    /// Who left meanwhile is back, and who was seen meanwhile was not.
    fn touch(&self, who: u32) -> bool {
        let Some(times) = self.0.get(&who).map(|times| *times) else {
            return false;
        };
        self.0.insert(who, times + 1);
        true
    }
}

pub(crate) fn sessions<S: Script<Sessions>>(script: S) -> S {
    script
        .method(Sessions::touch)
        .peer("leave", |sessions: &Sessions, who: u32| {
            sessions.0.remove(&who).is_some()
        })
        .observe("seen", |sessions: &Sessions, who: u32| {
            sessions.0.get(&who).map(|times| *times)
        })
        .also_from(|sessions: &Sessions, who: u32| {
            sessions.0.insert(who, 0);
        })
}

/// Connections that nobody uses.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Vec<u32>>);

impl Pool {
    fn take(&self) -> Option<u32> {
        self.0.lock().unwrap().pop()
    }

    /// What is there now may be gone then.
    fn look_then_take(&self) -> Option<u32> {
        if self.0.lock().unwrap().is_empty() {
            return None;
        }
        let taken = self.0.lock().unwrap().pop();
        Some(taken.expect("it was not empty"))
    }
}

fn pool<S: Script<Pool>>(script: S) -> S {
    script
        .peer("give_back", |pool: &Pool, connection: u32| {
            pool.0.lock().unwrap().push(connection);
        })
        .observe("idle", |pool: &Pool, ()| pool.0.lock().unwrap().clone())
        .also_from(|pool: &Pool, connection: u32| pool.0.lock().unwrap().push(connection))
}

pub(crate) fn pool_look_then_take<S: Script<Pool>>(script: S) -> S {
    pool(script.method(|pool: &Pool, ()| pool.look_then_take()))
}

pub(crate) fn pool_take<S: Script<Pool>>(script: S) -> S {
    pool(script.method(|pool: &Pool, ()| pool.take()))
}

const LIMIT: u32 = 1;

/// Lets one through in each period.
#[derive(Default)]
pub(crate) struct RateLimiter(AtomicU32);

impl RateLimiter {
    fn look_then_acquire(&self) -> bool {
        if self.0.load(SeqCst) >= LIMIT {
            return false;
        }
        self.0.fetch_add(1, SeqCst);
        true
    }

    /// Tries again if somebody came between.
    fn acquire(&self) -> bool {
        let mut used = self.0.load(SeqCst);
        while used < LIMIT {
            match self.0.compare_exchange(used, used + 1, SeqCst, SeqCst) {
                Ok(_) => return true,
                Err(now) => used = now,
            }
        }
        false
    }
}

fn limiter<S: Script<RateLimiter>>(script: S) -> S {
    script
        .peer("next_period", |limiter: &RateLimiter, ()| {
            limiter.0.store(0, SeqCst);
        })
        .observe("used", |limiter: &RateLimiter, ()| limiter.0.load(SeqCst))
        .also_from(|limiter: &RateLimiter, ()| limiter.0.store(LIMIT, SeqCst))
}

pub(crate) fn limiter_look_then_acquire<S: Script<RateLimiter>>(script: S) -> S {
    limiter(script.method(|limiter: &RateLimiter, ()| limiter.look_then_acquire()))
}

pub(crate) fn limiter_acquire<S: Script<RateLimiter>>(script: S) -> S {
    limiter(script.method(|limiter: &RateLimiter, ()| limiter.acquire()))
}

/// Users by number, and by address.
#[derive(Default)]
pub(crate) struct Users {
    mails: DashMap<u32, u32>,
    users: DashMap<u32, u32>,
}

impl Users {
    /// The two maps are changed one after the other.
    fn add(&self, (id, mail): (u32, u32)) -> Option<u32> {
        let before = self.mails.insert(id, mail);
        self.users.insert(mail, id);
        before
    }
}

pub(crate) fn users<S: Script<Users>>(script: S) -> S {
    script
        .method(Users::add)
        .observe("mail_of", |users: &Users, id: u32| {
            users.mails.get(&id).map(|mail| *mail)
        })
        .observe("user_of", |users: &Users, mail: u32| {
            users.users.get(&mail).map(|id| *id)
        })
}

/// The same, and who changes one map has both.
#[derive(Default)]
pub(crate) struct LockedUsers {
    mails: Mutex<HashMap<u32, u32>>,
    users: Mutex<HashMap<u32, u32>>,
}

impl LockedUsers {
    fn add(&self, (id, mail): (u32, u32)) -> Option<u32> {
        let mut mails = self.mails.lock().unwrap();
        self.users.lock().unwrap().insert(mail, id);
        mails.insert(id, mail)
    }
}

pub(crate) fn locked_users<S: Script<LockedUsers>>(script: S) -> S {
    script
        .method(LockedUsers::add)
        .observe("mail_of", |users: &LockedUsers, id: u32| {
            users.mails.lock().unwrap().get(&id).copied()
        })
        .observe("user_of", |users: &LockedUsers, mail: u32| {
            let mails = users.mails.lock().unwrap();
            let found = users.users.lock().unwrap().get(&mail).copied();
            drop(mails);
            found
        })
}

/// How many use each file.
#[derive(Default)]
pub(crate) struct Files(DashMap<u32, u32>);

impl Files {
    fn open(&self, name: u32) -> u32 {
        let mut users = self.0.entry(name).or_default();
        *users += 1;
        *users
    }

    /// Who opens it in between has it removed.
    fn leave_then_remove(&self, name: u32) -> bool {
        let is_open = match self.0.get_mut(&name) {
            Some(mut users) if *users > 0 => {
                *users -= 1;
                true
            }
            _ => false,
        };
        if self.users(name) == 0 {
            self.0.remove(&name);
        }
        is_open
    }

    fn users(&self, name: u32) -> u32 {
        self.0.get(&name).map_or(0, |users| *users)
    }
}

pub(crate) fn files<S: Script<Files>>(script: S) -> S {
    script
        .method(Files::leave_then_remove)
        .peer("open", Files::open)
        .observe("users", Files::users)
        .also_from(|files: &Files, name: u32| {
            files.open(name);
        })
}
