//! Who made each step of a history: what many histories have in common is there once.

use std::rc::Rc;

/// Who made steps, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail(Option<Rc<Link>>);

#[derive(Debug)]
struct Link {
    before: Trail,
    steps: Rc<[u32]>,
    length: usize,
}

impl Trail {
    /// With these after it.
    pub(crate) fn and(&self, steps: Rc<[u32]>) -> Trail {
        Trail(Some(Rc::new(Link {
            length: self.len() + steps.len(),
            before: self.clone(),
            steps,
        })))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.length)
    }

    /// Who made each.
    pub(crate) fn turns(&self) -> Vec<u32> {
        let mut turns = Vec::with_capacity(self.len());
        let mut trail = self;
        while let Some(link) = &trail.0 {
            turns.extend(link.steps.iter().rev());
            trail = &link.before;
        }
        turns.reverse();
        turns
    }
}

/// One after the other, since a method may have very many steps.
impl Drop for Trail {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn steps_are_in_order() {
        let first = Trail::default().and([1, 2].into());
        let both = first.and([3].into());
        assert_eq!(both.turns(), [1, 2, 3]);
        assert_eq!((first.len(), both.len()), (2, 3));
    }

    #[test]
    fn a_long_trail_goes() {
        let mut trail = Trail::default();
        for _ in 0..300_000 {
            trail = trail.and([0].into());
        }
        assert_eq!(trail.len(), 300_000);
    }
}
