//! What an object of one's own type is known by.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

#[cfg(commute)]
use {
    crate::explored,
    crate::hidden::own_object::OwnObject,
    commute_record::Kind,
    std::panic::Location,
    std::sync::{Arc, OnceLock},
};

/// A field that makes an object of one's own type the same object wherever it moves,
/// and ends it when it is dropped. In a normal build it is nothing and takes no room.
///
/// ```
/// use commute::sync::Mutex;
///
/// #[derive(Clone, Debug, Default, PartialEq)]
/// struct Settings { identity: commute::Identity }
///
/// struct Counter { hits: Mutex<u64>, identity: commute::Identity }
///
/// #[commute::object(spec = "counter", identity = identity)]
/// impl Counter {
///     pub fn inc(&self) {
///         *self.hits.lock().unwrap() += 1;
///     }
/// }
///
/// let counter = Counter { hits: Mutex::new(0), identity: commute::Identity::new() };
/// commute::name(&counter.identity, "hits");
/// counter.inc();
/// ```
///
/// A clone is another object's. For `==`, `<` and `Hash` all are equal, so that they can
/// be derived for the object.
#[derive(Debug)]
pub struct Identity {
    #[cfg(commute)]
    created: &'static Location<'static>,
    /// What it is, from the first call on.
    #[cfg(commute)]
    object: OnceLock<Arc<OwnObject>>,
    /// What it was called before.
    #[cfg(commute)]
    name: OnceLock<String>,
}

impl Identity {
    /// Of a new object.
    #[track_caller]
    pub const fn new() -> Identity {
        Identity {
            #[cfg(commute)]
            created: Location::caller(),
            #[cfg(commute)]
            object: OnceLock::new(),
            #[cfg(commute)]
            name: OnceLock::new(),
        }
    }
}

#[cfg(commute)]
impl Identity {
    pub(crate) fn object(&self, kind: &'static Kind) -> Arc<OwnObject> {
        let object = self.object.get_or_init(|| {
            let object = OwnObject::new(kind, self.created);
            if let Some(name) = self.name.get() {
                explored::Called::call(&object.tag, name);
            }
            Arc::new(object)
        });
        Arc::clone(object)
    }

    pub(crate) fn name(&self, name: &str) {
        match self.object.get() {
            Some(object) => explored::Called::call(&object.tag, name),
            None => drop(self.name.set(name.to_owned())),
        }
    }
}

impl Clone for Identity {
    #[track_caller]
    fn clone(&self) -> Identity {
        Identity::new()
    }
}

impl Default for Identity {
    #[track_caller]
    fn default() -> Identity {
        Identity::new()
    }
}

impl PartialEq for Identity {
    fn eq(&self, _: &Identity) -> bool {
        true
    }
}

impl Eq for Identity {}

impl PartialOrd for Identity {
    fn partial_cmp(&self, other: &Identity) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Identity {
    fn cmp(&self, _: &Identity) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Identity {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
