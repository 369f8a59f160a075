//! Both halves of the work add to one sum.
//@ finding: total
use std::sync::Mutex;
pub fn total(left: &[u64], right: &[u64]) -> u64 {
    let sum = Mutex::new(0);
    #[cfg(not(fixed))]
    let add = |part: &[u64]| {
        let before = *sum.lock().unwrap();
        *sum.lock().unwrap() = before + part.iter().sum::<u64>();
    };
    #[cfg(fixed)]
    let add = |part: &[u64]| *sum.lock().unwrap() += part.iter().sum::<u64>();
    rayon::join(|| add(left), || add(right));
    sum.into_inner().unwrap()
}
