//! Sessions: who is there may leave while somebody looks.

use std::collections::HashMap;
use std::future::poll_fn;
use std::task::Poll;

use commute::Domain;
use commute::compose::{Check, check};
use commute::dashmap::{DashMap, Entry};
use commute::sync::RwLock;

use crate::expect::{BothWays, holds_only_without};

#[derive(Domain, Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Who {
    User { id: u8 },
    Guest,
}

/// How often each was seen.
#[derive(Default)]
struct Sessions {
    seen: DashMap<Who, u8>,
}

impl Sessions {
    fn touch(&self, who: Who) -> bool {
        match self.seen.get_mut(&who) {
            Some(mut times) => {
                *times += 1;
                true
            }
            None => false,
        }
    }

    /// Who left meanwhile is back, and who was seen meanwhile was not.
    fn touch_and_put_back(&self, who: Who) -> bool {
        let Some(times) = self.seen.get(&who).map(|times| *times) else {
            return false;
        };
        self.seen.insert(who, times + 1);
        true
    }
}

fn sessions(method: fn(&Sessions, Who) -> bool) -> Check<Sessions> {
    check(Sessions::default)
        .method(method)
        .peer("leave", |sessions: &Sessions, who: Who| {
            sessions.seen.remove(&who).is_some()
        })
        .observe("seen", |sessions: &Sessions, who: Who| {
            sessions.seen.get(&who).map(|times| *times)
        })
        .also_from(|sessions: &Sessions, who: Who| {
            sessions.seen.insert(who, 0);
        })
}

#[test]
fn nobody_is_brought_back_through_a_guard() {
    sessions(Sessions::touch).assert_atomic_both_ways();
    let put_back = sessions(Sessions::touch_and_put_back);
    holds_only_without(put_back, [&["itself", "leave"]]);
}

/// What is known of users, fetched when it is asked for.
#[derive(Default)]
struct Profiles {
    known: DashMap<u8, u8>,
}

impl Profiles {
    /// Has to be asked twice.
    async fn fetch(&self, user: u8) -> u8 {
        let mut was_asked = false;
        poll_fn(|context| match std::mem::replace(&mut was_asked, true) {
            true => Poll::Ready(10 + user),
            false => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
        })
        .await
    }

    async fn load(&self, user: u8) -> u8 {
        if let Some(profile) = self.known.get(&user) {
            return *profile;
        }
        let fetched = self.fetch(user).await;
        match self.known.entry(user) {
            Entry::Occupied(profile) => *profile.get(),
            Entry::Vacant(place) => *place.insert(fetched),
        }
    }

    /// Whoever has edited it meanwhile has done so for nothing.
    async fn load_over(&self, user: u8) -> u8 {
        if let Some(profile) = self.known.get(&user) {
            return *profile;
        }
        let fetched = self.fetch(user).await;
        self.known.insert(user, fetched);
        fetched
    }
}

fn profiles() -> Check<Profiles> {
    check(Profiles::default)
        .peer_async("edit", async |profiles: &Profiles, user: u8| {
            profiles.known.insert(user, 7)
        })
        .peer("forget", |profiles: &Profiles, user: u8| {
            profiles.known.remove(&user)
        })
        .observe("known", |profiles: &Profiles, user: u8| {
            profiles.known.get(&user).map(|profile| *profile)
        })
}

#[test]
fn what_was_fetched_does_not_replace_what_was_edited() {
    profiles()
        .method_async(async |profiles: &Profiles, user: u8| profiles.load(user).await)
        .assert_atomic_both_ways();
    let over = profiles()
        .method_async(async |profiles: &Profiles, user: u8| profiles.load_over(user).await);
    holds_only_without(over, [&["edit"]]);
}

/// Tables with guests.
#[derive(Default)]
struct Apart(DashMap<u8, char>);

#[derive(Default)]
struct Together(RwLock<HashMap<u8, char>>);

/// Between two operations on one map the guest is nowhere.
#[test]
fn who_moves_is_always_somewhere_if_the_map_is_locked() {
    check(Together::default)
        .method(|tables: &Together, (from, to): (u8, u8)| {
            let mut tables = tables.0.write().unwrap();
            let guest = tables.remove(&from)?;
            tables.insert(to, guest)
        })
        .observe("at", |tables: &Together, table: u8| {
            tables.0.read().unwrap().get(&table).copied()
        })
        .also_from(|tables: &Together, table: u8| {
            tables.0.write().unwrap().insert(table, 'g');
        })
        .assert_atomic_both_ways();
    let apart = check(Apart::default)
        .method(|tables: &Apart, (from, to): (u8, u8)| {
            let (_, guest) = tables.0.remove(&from)?;
            tables.0.insert(to, guest)
        })
        .observe("at", |tables: &Apart, table: u8| {
            tables.0.get(&table).map(|guest| *guest)
        })
        .also_from(|tables: &Apart, table: u8| {
            tables.0.insert(table, 'g');
        });
    holds_only_without(apart, [&["at", "itself"]]);
}
