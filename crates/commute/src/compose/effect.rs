//! When a method takes effect, if it says so.

/// Says that a method that is [checked](super::check) takes effect by the operation before
/// this one: its linearization point.
///
/// Without it, a method is atomic if there is any moment at which it may have happened.
/// With it, that has to be this moment. Of several, the last that is come to counts. Where
/// nothing is checked, it does nothing.
///
/// ```
/// use commute::compose::{check, takes_effect};
/// use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
///
/// check(AtomicU32::default)
///     .method(|next: &AtomicU32, ()| {
///         let mine = next.fetch_add(1, SeqCst);
///         takes_effect();
///         mine
///     })
///     .assert_atomic();
/// ```
#[track_caller]
pub fn takes_effect() {
    #[cfg(commute)]
    if commute_explore::runtime::is_inside() {
        commute_explore::runtime::takes_effect(&commute_explore::runtime::Mark::default());
    }
}
