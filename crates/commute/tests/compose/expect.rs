//! What a check is to come to.

use commute::compose::{Check, Checked, Outcome};

/// Where every history is run, there are not to be too many.
const MOST: u64 = 1_500;

/// What comes of a check. The same comes of it if nothing is left out.
#[track_caller]
fn both_ways<T: 'static>(check: Check<T>) -> Checked {
    let checked = check.clone().run();
    if checked.histories + checked.pruned < MOST {
        let whole = check.exhaustive().run();
        assert_eq!(whole.outcome, checked.outcome, "{whole}\n{checked}");
        assert_eq!(
            whole.only_without, checked.only_without,
            "{whole}\n{checked}"
        );
        assert!(whole.histories >= checked.histories);
    }
    checked
}

/// The method is atomic, with and without what is left out.
pub(crate) trait BothWays {
    fn assert_atomic_both_ways(self);
}

impl<T: 'static> BothWays for Check<T> {
    #[track_caller]
    fn assert_atomic_both_ways(self) {
        let checked = both_ways(self);
        assert!(checked.is_atomic(), "{checked}");
    }
}

/// The method is not atomic, unless nobody does what is in one of these sets: the
/// smallest that there are.
#[track_caller]
pub(crate) fn holds_only_without<T: 'static, const N: usize>(check: Check<T>, sets: [&[&str]; N]) {
    let checked = both_ways(check);
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
