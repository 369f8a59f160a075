//! Methods that use other objects: whether they are atomic.

use commute::compose;
use commute::dashmap::DashMap;

/// Who is logged in, and with which ticket.
#[derive(Default)]
struct Sessions(DashMap<String, u32>);

impl Sessions {
    /// Looks, and then acts: somebody else may have come between.
    fn open(&self, user: String) -> u32 {
        if let Some(ticket) = self.0.get(&user) {
            return *ticket;
        }
        let ticket = 7;
        self.0.insert(user, ticket);
        ticket
    }

    /// Looks and acts at once.
    fn open_at_once(&self, user: String) -> u32 {
        *self.0.entry(user).or_insert(7)
    }

    fn adopt(&self, user: String, ticket: u32) -> Option<u32> {
        self.0.insert(user, ticket)
    }

    fn close(&self, user: &str) -> Option<u32> {
        self.0.remove(user).map(|(_, ticket)| ticket)
    }

    fn ticket(&self, user: &str) -> Option<u32> {
        self.0.get(user).map(|ticket| *ticket)
    }
}

fn sessions() -> compose::Check<Sessions> {
    compose::check(Sessions::default)
        .peer("adopt", |sessions, (user, ticket): (String, u32)| {
            sessions.adopt(user, ticket)
        })
        .peer("close", |sessions, user: String| sessions.close(&user))
        .observe("ticket", |sessions, user: String| sessions.ticket(&user))
}

#[commute::test]
fn a_session_is_opened_in_two_steps() {
    sessions()
        .method(|sessions, user: String| sessions.open(user))
        .assert_atomic();
}

#[commute::test]
fn a_session_is_opened_at_once() {
    sessions()
        .method(|sessions, user: String| sessions.open_at_once(user))
        .assert_atomic();
}
