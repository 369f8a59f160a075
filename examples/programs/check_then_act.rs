//! A user name is taken if nobody has it: a check, then an act. Two users that ask for
//! the same name at the same time both get it.

use commute::dashmap::DashMap;
use commute::thread;

fn main() {
    let users: DashMap<&str, u32> = DashMap::new();
    commute::name(&users, "users");
    thread::scope(|scope| {
        for id in [1, 2] {
            let users = &users;
            scope.spawn(move || register(users, "ada", id));
        }
    });
}

fn register(users: &DashMap<&'static str, u32>, name: &'static str, id: u32) -> bool {
    if users.contains_key(name) {
        return false;
    }
    users.insert(name, id);
    true
}
