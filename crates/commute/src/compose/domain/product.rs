//! Products: everything that parts make together.
//!
//! They turn like the wheels of a counter, the last part fastest, and a part starts
//! again by being asked for its values again. So none of them is ever there as a whole.

use super::{Domain, Values};

/// All pairs of the one and the other.
pub fn both<A: Clone + 'static, B: 'static>(
    firsts: Values<A>,
    seconds: fn() -> Values<B>,
) -> Values<(A, B)> {
    Box::new(Pairs {
        firsts,
        seconds,
        turning: None,
    })
}

struct Pairs<A, B> {
    firsts: Values<A>,
    seconds: fn() -> Values<B>,
    turning: Option<(A, Values<B>)>,
}

impl<A: Clone, B> Iterator for Pairs<A, B> {
    type Item = (A, B);

    fn next(&mut self) -> Option<(A, B)> {
        if let Some((first, seconds)) = &mut self.turning
            && let Some(second) = seconds.next()
        {
            return Some((first.clone(), second));
        }
        let first = self.firsts.next()?;
        let mut seconds = (self.seconds)();
        // If there is no second for this one, there is none for any: do not go through
        // all the firsts, which may be very many.
        let second = seconds.next()?;
        self.turning = Some((first.clone(), seconds));
        Some((first, second))
    }
}

/// All lists of one length.
pub(super) struct Lists<T> {
    length: usize,
    begun: bool,
    /// What is in front, each with what comes after it in its place.
    turning: Vec<(T, Values<T>)>,
}

impl<T: Domain> Lists<T> {
    pub(super) fn of(length: usize) -> Lists<T> {
        Lists {
            length,
            begun: false,
            turning: Vec::new(),
        }
    }
}

impl<T: Domain> Iterator for Lists<T> {
    type Item = Vec<T>;

    fn next(&mut self) -> Option<Vec<T>> {
        // The last place that has another value takes it; those behind it start again.
        while self.begun {
            let (_, mut later) = self.turning.pop()?;
            if let Some(value) = later.next() {
                self.turning.push((value, later));
                break;
            }
        }
        self.begun = true;
        while self.turning.len() < self.length {
            let mut later = T::values();
            let value = later.next()?;
            self.turning.push((value, later));
        }
        let values = self.turning.iter().map(|(value, _)| value.clone());
        Some(values.collect())
    }
}
