//! The methods, three times: on objects that are watched, on plain ones, and on plain ones
//! that can be interrupted between steps.

/// For the adversary.
pub(crate) mod watched {
    use std::collections::HashMap;

    use commute::dashmap::{DashMap, Entry};
    use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use commute::sync::{Mutex, RwLock};

    use crate::script::Script;

    include!("methods/maps.rs");
    include!("methods/figures.rs");
    include!("methods/clients.rs");
}

/// For random tests with threads: nothing is between the method and its objects.
pub(crate) mod plain {
    use std::collections::HashMap;
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::sync::{Mutex, RwLock};

    use dashmap::{DashMap, Entry};

    use crate::script::Script;

    include!("methods/maps.rs");
    include!("methods/figures.rs");
    include!("methods/clients.rs");
}

/// For random tests in one thread.
pub(crate) mod interrupted {
    use std::collections::HashMap;
    use std::sync::atomic::Ordering::SeqCst;

    use dashmap::Entry;

    use crate::stepped::Stepped;

    type DashMap<K, V> = Stepped<dashmap::DashMap<K, V>>;
    type AtomicU32 = Stepped<std::sync::atomic::AtomicU32>;
    type Mutex<T> = Stepped<std::sync::Mutex<T>>;
    type RwLock<T> = Stepped<std::sync::RwLock<T>>;

    use crate::script::Script;

    include!("methods/maps.rs");
    include!("methods/figures.rs");
    include!("methods/clients.rs");
}
