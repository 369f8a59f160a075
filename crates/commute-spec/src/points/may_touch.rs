//! The points that an invocation touches if what is opaque in it is something.
//!
//! For the question what an action needs: there an opaque value may be equal to
//! anything. A condition about it may hold or not, so the points of both are touched;
//! and a key that is opaque may be any.

use commute_model::Value;
use smallvec::SmallVec;

use super::{AccessPoints, MethodPoints};
use crate::invocation::Invocation;
use crate::logic::residue::Key;

/// The key of a point that may be touched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MayKey<'a> {
    /// The class has no keys.
    None,
    /// This one.
    Is(&'a Value),
    /// Nobody knows which.
    Any,
}

impl AccessPoints {
    /// Calls `visit` with the points that `invocation` touches for some values in
    /// place of those that are opaque, none twice.
    pub fn may_touch<'a>(
        &self,
        invocation: Invocation<'a>,
        mut visit: impl FnMut(u16, MayKey<'a>),
    ) {
        let method = &self.methods[invocation.method];
        let (beta, unknown) = method.what_is_known(invocation);
        let mut touched: SmallVec<[(u16, MayKey<'a>); 8]> = SmallVec::new();
        let mut add = |class: u16, key: MayKey<'a>| {
            if !touched.contains(&(class, key)) {
                touched.push((class, key));
                visit(class, key);
            }
        };
        // All β that differ in what is unknown only.
        let mut open = unknown;
        loop {
            let list = &method.lists[method.table[beta | open] as usize];
            for &(class, key) in &list.points {
                match key {
                    Key::Whole => add(class, MayKey::None),
                    Key::Slot(slot) | Key::Elements(slot) if invocation.slot(slot).has_opaque() => {
                        add(class, MayKey::Any);
                    }
                    Key::Slot(slot) => add(class, MayKey::Is(invocation.slot(slot))),
                    Key::Elements(slot) => {
                        if let Value::Tuple(values) = invocation.slot(slot) {
                            values.iter().for_each(|v| add(class, MayKey::Is(v)));
                        }
                    }
                }
            }
            if open == 0 {
                return;
            }
            open = (open - 1) & unknown;
        }
    }
}

impl MethodPoints {
    /// β with what is certain, and which atoms are not.
    fn what_is_known(&self, invocation: Invocation<'_>) -> (usize, usize) {
        let (mut beta, mut unknown) = (0, 0);
        for (i, check) in self.checks.iter().enumerate() {
            match check.holds_whatever(invocation) {
                Some(holds) => beta |= usize::from(holds) << i,
                None => unknown |= 1 << i,
            }
        }
        (beta, unknown)
    }
}
