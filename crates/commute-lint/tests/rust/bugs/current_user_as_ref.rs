//! Who is logged in is asked by `as_ref`, and replaced later.
//@ finding: Desk::log_in
use std::sync::Mutex;

#[derive(Clone, Debug)]
pub struct User {
    name: String,
    level: u8,
}

#[derive(Default)]
pub struct Desk {
    user: Mutex<Option<User>>,
    history: Mutex<Vec<String>>,
}

fn authenticate(name: &str) -> Option<User> {
    (!name.is_empty()).then(|| User { name: name.to_owned(), level: 1 })
}

impl Desk {
    #[cfg(not(fixed))]
    pub fn log_in(&self, name: &str) -> Result<(), String> {
        let present = self.user.lock().unwrap().as_ref().map(|user| user.name.clone());
        if let Some(other) = present {
            return Err(format!("{other} is here"));
        }
        let user = authenticate(name).ok_or("who?")?;
        *self.user.lock().unwrap() = Some(user);
        self.history.lock().unwrap().push(name.to_owned());
        Ok(())
    }
    #[cfg(fixed)]
    pub fn log_in(&self, name: &str) -> Result<(), String> {
        let user = authenticate(name).ok_or("who?")?;
        let mut place = self.user.lock().unwrap();
        if let Some(other) = place.as_ref() {
            return Err(format!("{} is here", other.name));
        }
        *place = Some(user);
        drop(place);
        self.history.lock().unwrap().push(name.to_owned());
        Ok(())
    }
    pub fn promote(&self) {
        if let Some(user) = self.user.lock().unwrap().as_mut() {
            user.level += 1;
        }
    }
    pub fn log_out(&self) -> Option<User> {
        self.user.lock().unwrap().take()
    }
}
