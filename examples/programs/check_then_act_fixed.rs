//! A user name is given by one thread, which the others ask.

use commute::dashmap::DashMap;
use commute::sync::mpsc;
use commute::thread;

fn main() {
    let users: DashMap<&str, u32> = DashMap::new();
    commute::name(&users, "users");
    let (ask, asked) = mpsc::channel();
    thread::scope(|scope| {
        for id in [1, 2] {
            let ask = ask.clone();
            scope.spawn(move || ask.send(("ada", id)));
        }
        drop(ask);
        let users = &users;
        scope.spawn(move || {
            for (name, id) in asked {
                if !users.contains_key(name) {
                    users.insert(name, id);
                }
            }
        });
    });
}
