//! Access points (RD2 Definition 4.4 and §6).
//!
//! Two invocations commute iff no point touched by one conflicts with a point
//! touched by the other (Definition 4.5, Theorem 6.5). A point is a class and,
//! if the class is keyed, a value; keyed points conflict if their classes do
//! and their values are equal. So a check looks at a bounded number of points
//! (Theorem 6.6), however many actions there were.
//!
//! What it claims: exact for all values, for all pairs that are not in
//! [`AccessPoints::linear`]; those must be checked with the formula. All pairs
//! in ECL with few atoms are translated ([`translate`] has the bounds), and so
//! are pairs that use `!has(x, y)` across the sides.
//!
//! Cost: [`AccessPoints::touch`] evaluates the few one-sided conditions of the
//! method and looks the answer up.

mod check;
mod conditions;
mod describe;
#[cfg(test)]
mod many_methods;
mod may_touch;
mod names;
mod simplify;
#[cfg(test)]
mod tests;
mod translate;

use commute_model::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::formula::Formula;
use crate::invocation::Invocation;
use crate::logic::reduce::drop_variables;
use crate::logic::residue::Key;
use crate::specification::Specification;
use check::Check;
pub use may_touch::MayKey;
use simplify::{Merged, simplify};
use translate::Translation;

/// The access point representation of a specification.
#[derive(Clone, Debug)]
pub struct AccessPoints {
    classes: Vec<PointClass>,
    linear: Vec<(usize, usize)>,
    methods: Vec<MethodPoints>,
}

/// A class of access points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointClass {
    /// A name for people: `w:k`, `size`.
    pub name: String,
    /// Whether its points have a value each.
    pub keyed: bool,
    /// The classes it conflicts with, in order.
    pub conflicts: Vec<u16>,
    /// Those of them that conflict with nothing it does not conflict with:
    /// whoever comes after a point of this class need not remember that it also
    /// comes after theirs.
    pub covers: Vec<u16>,
}

/// When a method touches a class, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The class.
    pub class: u16,
    /// The slot whose value is the key, if the class is keyed.
    pub slot: Option<usize>,
    /// Whether each element of the slot is a key.
    pub elements: bool,
    /// The condition, about side `First`; a condition that has no short form
    /// is missing.
    pub when: Option<Formula>,
}

/// The points that an invocation touches: class, and value if it is keyed.
pub type Touched<'a> = SmallVec<[(u16, Option<&'a Value>); 4]>;

/// What the invocations of one method touch.
#[derive(Clone, Debug)]
pub struct MethodPoints {
    checks: Vec<Check>,
    /// For every β the number of a list. β that cannot occur have any.
    table: Vec<u32>,
    lists: Vec<List>,
    touches: Vec<Touch>,
}

/// The points of one β.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct List {
    points: Vec<(u16, Key)>,
    /// Whether a point may come up twice.
    repeats: bool,
    /// Whether each entry is one point, and none may come up twice.
    plain: bool,
}

impl AccessPoints {
    /// The access points of a specification.
    pub fn of(spec: &Specification) -> AccessPoints {
        let mut translation = Translation::of(spec);
        let classes = simplify(&translation).unwrap_or_else(|| {
            // A specification that needs thousands of classes: every pair that
            // may conflict is checked by its formula.
            translation.give_up();
            Vec::new()
        });
        AccessPoints::assemble(spec, translation, classes)
    }

    fn assemble(
        spec: &Specification,
        translation: Translation,
        mut classes: Vec<Merged>,
    ) -> AccessPoints {
        order(&translation, &mut classes);
        let methods: Vec<MethodPoints> = (0..spec.methods.len())
            .map(|method| MethodPoints::of(&translation, &classes, method))
            .collect();
        let names = names::names(spec, &classes, &methods);
        let classes = classes.iter().zip(names).map(|(class, name)| PointClass {
            name,
            keyed: class.points[0].key != Key::Whole,
            conflicts: class.conflicts.iter().map(|c| *c as u16).collect(),
            covers: Vec::new(),
        });
        let mut classes: Vec<PointClass> = classes.collect();
        for class in 0..classes.len() {
            classes[class].covers = covered(&classes, class);
        }
        AccessPoints {
            classes,
            linear: translation.linear,
            methods,
        }
    }

    /// The classes; a class is known by its place here.
    pub fn classes(&self) -> &[PointClass] {
        &self.classes
    }

    /// The pairs of methods (a ≤ b) that the points say nothing about. They are
    /// to be checked with the formula.
    pub fn linear(&self) -> &[(usize, usize)] {
        &self.linear
    }

    /// Whether points of two classes conflict (if keyed, with equal keys).
    pub fn conflict(&self, a: u16, b: u16) -> bool {
        let row = &self.classes[usize::from(a)].conflicts;
        row.binary_search(&b).is_ok()
    }

    /// When the invocations of a method touch which points, for people.
    pub fn touches(&self, method: usize) -> &[Touch] {
        &self.methods[method].touches
    }

    /// Writes the points that `invocation` touches to `out`, none twice.
    ///
    /// A key that is opaque, or has an opaque part, is equal to no other, so
    /// such a point cannot conflict and is left out.
    #[inline]
    pub fn touch<'a>(&self, invocation: Invocation<'a>, out: &mut Touched<'a>) {
        out.clear();
        let list = self.list(invocation);
        for &(class, key) in &list.points {
            match key {
                Key::Whole => out.push((class, None)),
                Key::Slot(slot) => {
                    let value = invocation.slot(slot);
                    let point = (class, Some(value));
                    let known = list.repeats && out.contains(&point);
                    if !known && !value.has_opaque() {
                        out.push(point);
                    }
                }
                Key::Elements(slot) => touch_elements(class, invocation.slot(slot), out),
            }
        }
    }

    /// Calls `visit` with the points that `invocation` touches, none twice: the
    /// same as [`touch`](Self::touch), without a list where none is needed.
    #[inline(always)]
    pub fn touch_each<'a>(
        &self,
        invocation: Invocation<'a>,
        mut visit: impl FnMut(u16, Option<&'a Value>),
    ) {
        let list = self.list(invocation);
        let mut touched = Touched::new();
        let points = match list.plain {
            true => list.points.len(),
            false => {
                self.touch(invocation, &mut touched);
                touched.len()
            }
        };
        // One loop for both, so that `visit` becomes part of it.
        for i in 0..points {
            let (class, key) = match list.plain {
                false => touched[i],
                true => match list.points[i] {
                    (class, Key::Whole) => (class, None),
                    (class, Key::Slot(slot) | Key::Elements(slot)) => {
                        let value = invocation.slot(slot);
                        if value.has_opaque() {
                            continue;
                        }
                        (class, Some(value))
                    }
                },
            };
            visit(class, key);
        }
    }

    /// What the invocations of a method touch.
    pub fn of_method(&self, method: usize) -> &MethodPoints {
        &self.methods[method]
    }

    #[inline(always)]
    fn list(&self, invocation: Invocation<'_>) -> &List {
        self.methods[invocation.method].list(invocation)
    }
}

/// The conflicts of `class` whose own conflicts are all its conflicts too.
fn covered(classes: &[PointClass], class: usize) -> Vec<u16> {
    let conflicts = &classes[class].conflicts;
    let within = |other: &u16| {
        let theirs = &classes[usize::from(*other)].conflicts;
        theirs.iter().all(|c| conflicts.binary_search(c).is_ok())
    };
    conflicts.iter().copied().filter(within).collect()
}

/// Touches `class` once for every different element of a tuple.
fn touch_elements<'a>(class: u16, value: &'a Value, out: &mut Touched<'a>) {
    let Value::Tuple(values) = value else { return };
    if values.len() + out.len() <= 16 {
        for value in values.iter().filter(|value| !value.has_opaque()) {
            if !out.contains(&(class, Some(value))) {
                out.push((class, Some(value)));
            }
        }
        return;
    }
    let old = out.iter().filter(|(c, _)| *c == class);
    let mut seen: FxHashSet<Option<&Value>> = old.map(|(_, value)| *value).collect();
    for value in values.iter().filter(|value| !value.has_opaque()) {
        if seen.insert(Some(value)) {
            out.push((class, Some(value)));
        }
    }
}

/// Puts the classes into an order for people: keyed ones first, what conflicts
/// with itself later, what is touched under a condition later.
fn order(translation: &Translation, classes: &mut Vec<Merged>) {
    let methods = 0..translation.atoms.len();
    let betas: Vec<usize> = methods.map(|m| translation.betas(m).len()).collect();
    let always = |class: &Merged| {
        let mut touched: Vec<(usize, usize)> = Vec::new();
        touched.extend(class.points.iter().map(|p| (p.method, p.beta)));
        touched.sort_unstable();
        touched.dedup();
        let mut methods = touched.chunk_by(|a, b| a.0 == b.0);
        methods.any(|own| own.len() == betas[own[0].0])
    };
    let mut places: Vec<usize> = (0..classes.len()).collect();
    places.sort_by_key(|i| {
        let class = &classes[*i];
        let (keyed, selfish) = (
            class.points[0].key != Key::Whole,
            class.conflicts.contains(i),
        );
        (!keyed, selfish, !always(class), *i)
    });
    let mut new = vec![0; classes.len()];
    for (place, old) in places.iter().enumerate() {
        new[*old] = place;
    }
    let mut moved: Vec<(usize, Merged)> = std::mem::take(classes)
        .into_iter()
        .enumerate()
        .map(|(old, class)| (new[old], class))
        .collect();
    moved.sort_by_key(|(place, _)| *place);
    for (_, mut class) in moved {
        class.conflicts.iter_mut().for_each(|c| *c = new[*c]);
        class.conflicts.sort_unstable();
        classes.push(class);
    }
}

impl MethodPoints {
    /// Whether `is_so` of every point that an invocation of this method touches. Also
    /// not if that takes longer to find out: there are conditions of an unusual form, or
    /// one point may come up twice.
    #[inline(always)]
    pub fn all_touched<'a>(
        &self,
        invocation: Invocation<'a>,
        mut is_so: impl FnMut(u16, Option<&'a Value>) -> bool,
    ) -> bool {
        let mut beta = 0;
        for (i, check) in self.checks.iter().enumerate() {
            let Some(holds) = check.holds_at_once(invocation) else {
                return false;
            };
            beta |= usize::from(holds) << i;
        }
        let list = &self.lists[self.table[beta] as usize];
        if !list.plain {
            return false;
        }
        // A loop, so that `is_so` becomes part of it.
        for &(class, key) in &list.points {
            let key = match key {
                Key::Whole => None,
                Key::Slot(slot) | Key::Elements(slot) => {
                    let value = invocation.slot(slot);
                    if value.has_opaque() {
                        continue;
                    }
                    Some(value)
                }
            };
            if !is_so(class, key) {
                return false;
            }
        }
        true
    }

    /// What an invocation touches, by its β.
    #[inline(always)]
    fn list(&self, invocation: Invocation<'_>) -> &List {
        let mut beta = 0;
        for (i, check) in self.checks.iter().enumerate() {
            beta |= usize::from(check.holds(invocation)) << i;
        }
        &self.lists[self.table[beta] as usize]
    }

    fn of(translation: &Translation, classes: &[Merged], method: usize) -> MethodPoints {
        let mut atoms = translation.atoms[method].clone();
        let mut points = vec![Vec::new(); 1 << atoms.len()];
        for (class, merged) in classes.iter().enumerate() {
            for point in merged.points.iter().filter(|p| p.method == method) {
                points[point.beta].push((class as u16, point.key));
            }
        }
        let touches = conditions::touches(translation, classes, method);
        let mut lists: Vec<List> = Vec::new();
        let mut known: FxHashMap<List, u32> = FxHashMap::default();
        let mut table: Vec<Option<u32>> = vec![None; points.len()];
        for &beta in translation.betas(method) {
            let list = List::of(std::mem::take(&mut points[beta]));
            let number = *known.entry(list.clone()).or_insert(lists.len() as u32);
            if number as usize == lists.len() {
                lists.push(list);
            }
            table[beta] = Some(number);
        }
        drop_variables(&mut table, &mut atoms);
        MethodPoints {
            checks: atoms.iter().map(Check::of).collect(),
            table: table.into_iter().map(Option::unwrap_or_default).collect(),
            lists,
            touches,
        }
    }
}

impl List {
    fn of(points: Vec<(u16, Key)>) -> List {
        let class = |i: usize| points.get(i).map(|(class, _)| class);
        let repeats = (1..points.len()).any(|i| class(i) == class(i - 1));
        let elements = |(_, key): &(u16, Key)| matches!(key, Key::Elements(_));
        let plain = !repeats && !points.iter().any(elements);
        List {
            points,
            repeats,
            plain,
        }
    }
}
