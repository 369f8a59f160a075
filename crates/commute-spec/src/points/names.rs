//! Names of access points, for people.
//!
//! A keyed class is called after what it does and the slot that gives the key:
//! `r:k` if its touches only read, `w:k` otherwise; where the specification does
//! not say what mutates, a class that conflicts with itself is a writer. A class
//! without key is called after the first method that always touches it. One
//! that is only touched under conditions is `r` if it only reads, and otherwise
//! called after what it disturbs: `resize` for `size` and `len`, `load-change`
//! for `load`. Names that are taken get a number: `w2:k`.

use rustc_hash::FxHashSet;

use super::simplify::Merged;
use super::{MethodPoints, Touch};
use crate::formula::Formula;
use crate::logic::equivalent;
use crate::logic::residue::Key;
use crate::specification::{Method, Mutates, Specification};

/// Methods that observe how many elements there are.
const SIZES: [&str; 5] = ["size", "len", "length", "count", "is_empty"];

/// A name for every class.
pub(super) fn names(
    spec: &Specification,
    classes: &[Merged],
    methods: &[MethodPoints],
) -> Vec<String> {
    let mut touches: Vec<Vec<(&Method, &Touch)>> = vec![Vec::new(); classes.len()];
    for (method, points) in spec.methods.iter().zip(methods) {
        for touch in &points.touches {
            touches[usize::from(touch.class)].push((method, touch));
        }
    }
    // What methods always touch comes first: others are called after it. Of
    // keyed classes, what is always read and what conflicts most get the
    // plainest names.
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by_key(|i| {
        let (class, touches) = (&classes[*i], &touches[*i]);
        let first = touches.iter().any(|(_, touch)| always(touch));
        match class.points[0].key {
            Key::Whole => (!first, usize::MAX),
            _ => {
                let read = is_read(touches, !class.conflicts.contains(i));
                (!(first && read), usize::MAX - class.conflicts.len())
            }
        }
    });
    let mut taken = FxHashSet::default();
    let mut names: Vec<String> = vec![String::new(); classes.len()];
    for class in order {
        let named = |c: &usize| touches[*c].iter().any(|(_, touch)| always(touch));
        let disturbed = classes[class]
            .conflicts
            .iter()
            .filter(|c| **c != class && named(c));
        let disturbed: Vec<&str> = disturbed.map(|c| &names[*c][..]).collect();
        let selfish = classes[class].conflicts.contains(&class);
        let candidates = candidates(&classes[class], selfish, &touches[class], &disturbed);
        let last = candidates.last().expect("there is a candidate").clone();
        let numbered = (2..).map(|n| match last.split_once(':') {
            Some((stem, slot)) => format!("{stem}{n}:{slot}"),
            None => format!("{last}{n}"),
        });
        let mut all = candidates.into_iter().chain(numbered);
        let free = all.find(|name| taken.insert(name.clone()));
        names[class] = free.expect("numbers do not end");
    }
    names
}

/// Names that fit a class, the best first. `disturbed` are the names of classes
/// that methods always touch and that conflict with this one.
fn candidates(
    class: &Merged,
    selfish: bool,
    touches: &[(&Method, &Touch)],
    disturbed: &[&str],
) -> Vec<String> {
    let always = touches.iter().find(|(_, touch)| always(touch));
    if class.points[0].key != Key::Whole {
        let whole = touches.iter().find(|(_, touch)| !touch.elements);
        let slot = whole.or(touches.first()).and_then(|(method, touch)| {
            let slot = touch.slot?;
            method.slots().nth(slot)
        });
        let slot = slot.unwrap_or("?");
        return match (is_read(touches, !selfish), always) {
            (true, Some((method, _))) => {
                vec![format!("r:{slot}"), format!("{}:{slot}", method.name)]
            }
            (true, None) => vec![format!("r:{slot}")],
            (false, _) => vec![format!("w:{slot}")],
        };
    }
    if let Some((method, _)) = always {
        return vec![method.name.clone()];
    }
    if is_read(touches, false) {
        return vec!["r".to_string()];
    }
    let changes = disturbed.iter().map(|name| match SIZES.contains(name) {
        true => "resize".to_string(),
        false => format!("{name}-change"),
    });
    changes.chain(["w".to_string()]).collect()
}

fn always(touch: &Touch) -> bool {
    touch.when == Some(Formula::Const(true))
}

/// Whether all who touch a point only read then; `unknown` if the specification
/// does not say.
fn is_read(touches: &[(&Method, &Touch)], unknown: bool) -> bool {
    let reads = |(method, touch): &(&Method, &Touch)| match (&method.mutates, &touch.when) {
        (Mutates::Never, _) => true,
        (Mutates::Unknown, _) | (_, None) => unknown,
        (Mutates::When(changes), Some(when)) => {
            let both = Formula::And(vec![changes.clone(), when.clone()]);
            equivalent(&both, &Formula::Const(false)) == Some(true)
        }
    };
    touches.iter().all(reads)
}
