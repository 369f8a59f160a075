//! What a call does to an object whose state is known.

use commute_model::Value;
use smallvec::SmallVec;

/// The state afterwards, if there is one.
pub(super) enum Answer<S> {
    /// The call cannot happen, or cannot return what was asked for.
    Impossible,
    /// It leads there, and returns this.
    To(S, SmallVec<[Value; 2]>),
    /// It can lead to several states, or is not known here: ask the model.
    Unclear,
}

impl<S> Answer<S> {
    pub(super) fn to<const N: usize>(state: S, results: [Value; N]) -> Answer<S> {
        Answer::To(state, results.into_iter().collect())
    }

    pub(super) fn map<T>(self, into: impl FnOnce(S) -> T) -> Answer<T> {
        match self {
            Answer::Impossible => Answer::Impossible,
            Answer::To(state, results) => Answer::To(into(state), results),
            Answer::Unclear => Answer::Unclear,
        }
    }
}
