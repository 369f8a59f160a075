//! Where regions begin and end: monitors, and the locks of
//! `java.util.concurrent`.
//!
//! Monitors are nested, as compilers write them, so that a `monitorexit` leaves
//! the one that was entered last. Locks need not be; they are told apart by how
//! the program spells them (`this.lock`, `Table.LOCK`, a variable).

use super::body::{Body, Value, of};
use super::library::Called;
use crate::ir::{Effect, Local, Mode, Operand, Place, Rule, Statement};

impl Body<'_, '_> {
    /// Takes the monitor of an object.
    pub(super) fn enter(&mut self, object: Operand) -> Local {
        let guard = self.temporary("Lmonitor;");
        let name = "monitorenter".to_owned();
        let arguments = vec![object, of(guard)];
        self.call(Place::local(guard), name, Effect::Enter, arguments);
        self.monitors.push(guard);
        self.facts.regions.insert(self.class);
        guard
    }

    /// Leaves the monitor that was entered last.
    pub(super) fn exit(&mut self) {
        match self.monitors.pop() {
            Some(guard) => self.push(Statement::Drop(Place::local(guard))),
            None => self.gap("it leaves a monitor that it did not enter"),
        }
    }

    /// A call of a method of a lock or a condition. Gives the arguments back if
    /// it is none.
    pub(super) fn lock(
        &mut self,
        called: &Called<'_>,
        descriptor: &str,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>, Vec<Value>> {
        if called.is_static || arguments.is_empty() {
            return Err(arguments);
        }
        let shown = called.shown();
        if (called.class, called.name) == ("java/lang/Object", "wait") {
            let guard = self.monitors.last().copied();
            return Ok(self.wait(shown, descriptor, arguments, guard));
        }
        let Some(class) = called.class.strip_prefix("java/util/concurrent/locks/") else {
            return Err(arguments);
        };
        if class == "Condition" {
            if !called.name.starts_with("await") {
                let to = self.nowhere();
                let arguments = arguments.into_iter().map(|value| value.operand).collect();
                self.call(to, shown, Effect::Pure, arguments);
                return Ok(None);
            }
            let mut guards = self.guards.values();
            let guard = guards.next().copied();
            let only = guard.filter(|_| guards.next().is_none());
            return Ok(self.wait(shown, descriptor, arguments, only));
        }
        let Some(receiver) = arguments.first().and_then(Value::local) else {
            return Err(arguments);
        };
        let spelled = self.spelling(receiver);
        match called.name {
            "readLock" | "writeLock" if class.ends_with("ReadWriteLock") => {
                let result = match called.name {
                    "readLock" => "Ljava/util/concurrent/locks/ReentrantReadWriteLock$ReadLock;",
                    _ => "Ljava/util/concurrent/locks/ReentrantReadWriteLock$WriteLock;",
                };
                let result = self.temporary(result);
                let to = Place::local(result);
                self.call(to, shown, Effect::Same, vec![of(receiver)]);
                (self.spelled).insert(result, format!("{spelled}.{}", called.name));
                Ok(Some(self.value(result)))
            }
            "lock" | "lockInterruptibly" => {
                self.acquire(shown, receiver, &spelled, class);
                Ok(None)
            }
            // A stamp stands for the guard.
            "readLock" | "writeLock" | "readLockInterruptibly" | "writeLockInterruptibly" => {
                let spelled = format!("{spelled}.{}", &called.name[..4]);
                let guard = self.acquire(shown, receiver, &spelled, class);
                Ok(Some(self.make("J", Rule::Discriminant, vec![of(guard)])))
            }
            "unlockRead" | "unlockWrite" => {
                let which = if called.name == "unlockRead" {
                    "read"
                } else {
                    "writ"
                };
                self.release(&format!("{spelled}.{which}"));
                Ok(None)
            }
            "tryLock" => {
                let guard = self.acquire(shown, receiver, &spelled, class);
                let result = self.make("Z", Rule::Discriminant, vec![of(guard)]);
                if let Some(local) = result.local() {
                    self.tried.insert(local, guard);
                }
                Ok(Some(result))
            }
            "unlock" if called.arguments == 0 => {
                self.release(&spelled);
                Ok(None)
            }
            _ => Err(arguments),
        }
    }

    fn release(&mut self, spelled: &str) {
        match self.guards.get(spelled) {
            Some(&guard) => self.push(Statement::Drop(Place::local(guard))),
            None => self.gap("it gives up a lock that it did not take"),
        }
    }

    fn acquire(&mut self, shown: String, lock: Local, spelled: &str, class: &str) -> Local {
        self.facts.regions.insert(self.class);
        let guard = match self.guards.get(spelled) {
            Some(&guard) => guard,
            None => self.temporary("Lguard;"),
        };
        self.guards.insert(spelled.to_owned(), guard);
        let mode = match class.ends_with("$ReadLock")
            || spelled.ends_with(".readLock")
            || spelled.ends_with(".read")
        {
            true => Mode::Shared,
            false => Mode::Exclusive,
        };
        let effect = Effect::Acquire(mode);
        self.call(Place::local(guard), shown, effect, vec![of(lock)]);
        guard
    }

    /// Waits, and gives up a guard as long.
    fn wait(
        &mut self,
        shown: String,
        descriptor: &str,
        arguments: Vec<Value>,
        guard: Option<Local>,
    ) -> Option<Value> {
        let mut arguments: Vec<Operand> =
            arguments.into_iter().map(|value| value.operand).collect();
        arguments.extend(guard.map(of));
        let (to, result) = self.result(descriptor);
        match guard {
            // The lock is taken again, and the guard is who gives it up.
            Some(guard) => self.call(Place::local(guard), shown, Effect::Wait, arguments),
            None => self.call(to.clone(), shown, Effect::Wait, arguments),
        }
        if guard.is_some() && result.is_some() {
            let waited = vec![Operand::Constant("waited".to_owned())];
            self.assign(to, Rule::Compute, waited);
        }
        result
    }
}
