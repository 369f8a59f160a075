//! A half of the work takes the lock twice. That is wrong only if the other
//! half takes it, too.
//@ finding: first_free
use std::sync::Mutex;
pub fn first_free(names: &[u32], other: &[u32]) -> usize {
    let taken = Mutex::new(Vec::new());
    let fill = || {
        for name in names {
            if !taken.lock().unwrap().contains(name) {
                taken.lock().unwrap().push(*name);
            }
        }
    };
    #[cfg(not(fixed))]
    rayon::join(fill, || {
        taken.lock().unwrap().extend(other);
    });
    #[cfg(fixed)]
    rayon::join(fill, || other.len());
    taken.into_inner().unwrap().len()
}
