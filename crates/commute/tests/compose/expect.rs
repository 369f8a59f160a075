//! What a check is to come to.

use commute::compose::{Check, Outcome};

/// The method is not atomic, unless nobody does what is in one of these sets: the
/// smallest that there are.
#[track_caller]
pub(crate) fn holds_only_without<T: 'static, const N: usize>(check: Check<T>, sets: [&[&str]; N]) {
    let checked = check.run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    // What others did can be moved neither before the method nor behind it.
    let pairs = checked.text.matches("they do not commute:").count();
    assert_eq!(pairs, 2, "{checked}");
    let mut found = checked.only_without.clone();
    let mut sets = sets.map(|set| set.to_vec());
    found.iter_mut().for_each(|set| set.sort_unstable());
    sets.iter_mut().for_each(|set| set.sort_unstable());
    found.sort_unstable();
    sets.sort_unstable();
    assert_eq!(found, sets, "{checked}");
}

/// Nothing can be said, and this is why.
#[track_caller]
pub(crate) fn says_nothing_because<T: 'static>(check: Check<T>, part: &str) {
    let checked = check.run();
    match &checked.outcome {
        Outcome::Inconclusive(reason) => assert!(reason.contains(part), "{reason}"),
        outcome => panic!("{outcome:?}: {checked}"),
    }
}
