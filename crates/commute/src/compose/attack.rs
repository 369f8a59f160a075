//! Runs a check.

use std::panic::{Location, resume_unwind};
use std::rc::Rc;

use commute_compose::{Attacked, Setting, Shared, Verdict, largest};
use commute_explore::runtime::{self, Test};
use commute_explore::{Limits, Subject};

use super::arena::{Arena, Work};
use super::check::{Check, Operation, Role};
use super::checked::{Checked, Outcome};
use super::done::{self, Done};
use super::story::{self, Names};
use super::{digest, open, oversight};

#[track_caller]
pub(super) fn run<T: 'static>(check: Check<T>) -> Checked {
    let at = Location::caller();
    if commute_record::is_on() {
        // What is recorded is one run.
        return check.run_once();
    }
    if !runtime::is_inside() {
        return run_here(check, at).checked;
    }
    if let Some(known) = done::next() {
        return known;
    }
    // The stack of a thread of a test is small, and nobody else is to be asked meanwhile.
    let check = Lent(check);
    let result = std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            let Lent(check) = { check };
            run_here(check, at)
        });
        match thread.join() {
            Ok(done) => done,
            Err(payload) => resume_unwind(payload),
        }
    });
    let checked = result.checked.clone();
    done::add(result);
    checked
}

/// Goes to another thread, which is waited for.
struct Lent<T>(T);

// SAFETY: whoever lends it does nothing before the other thread has ended, so it is used
// by one thread at a time. What it shares with the lender's thread-locals is for the
// user's closures to answer for: they are run in threads of tests anyway.
#[expect(unsafe_code, reason = "only one of the two threads runs")]
unsafe impl<T> Send for Lent<T> {}

fn run_here<T: 'static>(mut check: Check<T>, at: &'static Location<'static>) -> Done {
    let objections = objections(&check);
    if !objections.is_empty() {
        return Done::nothing(Outcome::Inconclusive(objections.join("; ")));
    }
    match check.environment.is_open && !check.has_collection() {
        true => open::run(&mut check, at),
        false => run_as_it_is(&check, at),
    }
}

/// With the operations that are known.
pub(super) fn run_as_it_is<T: 'static>(check: &Check<T>, at: &'static Location<'static>) -> Done {
    let methods: Vec<&Operation<T>> = check.all(Role::Method).collect();
    let beginnings: Vec<Option<&Operation<T>>> = [None]
        .into_iter()
        .chain(check.all(Role::Beginning).map(Some))
        .collect();
    let mut cases = Vec::new();
    let mut case_names = Vec::new();
    for beginning in &beginnings {
        for method in &methods {
            cases.push((beginning.map(|b| Rc::clone(&b.run)), Rc::clone(&method.run)));
            case_names.push((beginning.map(|b| b.shown.clone()), method.shown.clone()));
        }
    }
    let operations = environment(check);
    let texts = Shared::default();
    let observers = check.observers();
    let observers: Vec<Work<T>> = observers.iter().map(|o| Rc::clone(&o.run)).collect();
    let setting = Setting {
        cases: cases.len() as u32,
        operations: operations.len() as u32,
        observers: observers.len() as u32,
        steps: check.steps as u32,
        overlap: check.overlaps,
        prune: check.prunes,
    };
    let arena = Rc::new(Arena {
        new: Rc::clone(&check.new),
        cases,
        operations: operations.iter().map(|o| Rc::clone(&o.run)).collect(),
        observers,
        texts: Rc::clone(&texts),
        setting: setting.clone(),
        at,
    });
    let mut watch = oversight::watch();
    let _digesting = digest::begin();
    let mut test = Test::new(move || arena.run());
    let mut subject = Subject::new(&mut test, Limits::default());
    let mut enough = |executions, histories| watch.enough(executions, histories);
    let attacked = commute_compose::attack(&mut subject, &texts, &setting, &mut enough);
    let kinds: Vec<&str> = operations.iter().map(|o| o.name.as_str()).collect();
    let only_without = only_without(&attacked, &kinds);
    let shown = |operations: &[&Operation<T>]| {
        operations
            .iter()
            .map(|o| o.shown.clone())
            .collect::<Vec<_>>()
    };
    let names = Names {
        cases: case_names,
        operations: shown(&operations),
        observers: shown(&check.observers()),
    };
    let told = match &attacked.violation {
        Some(violation) => Some(story::tell(
            violation,
            &attacked,
            &only_without,
            &names,
            &mut subject.known,
        )),
        None => { attacked.stuck.as_ref() }
            .map(|stuck| story::never_ends(stuck, &attacked, &names, &mut subject.known)),
    };
    let outcome = outcome(&attacked, &check.cuts);
    let notes = check.notes.iter().cloned();
    let remarks = test.remarks().into_iter().map(str::to_owned);
    let notes: Vec<String> = notes.chain(remarks).collect();
    Done {
        checked: Checked {
            text: story::text(&outcome, told.as_ref(), &notes),
            outcome,
            executions: attacked.executions,
            pruned: attacked.pruned,
            histories: attacked.histories,
            only_without,
            notes,
        },
        story: told,
        is_asserted: false,
        is_weak: test.has_weak_orderings(),
    }
}

/// Why a check cannot be made at all.
pub(super) fn objections<T: 'static>(check: &Check<T>) -> Vec<String> {
    let mut objections = check.objections.clone();
    if objections.is_empty() && check.all(Role::Method).next().is_none() {
        objections.push("there is no method to check: say which with `.method(…)`".to_owned());
    }
    // What can be done to a collection is known when it is.
    let is_known = !check.environment.is_open || check.has_collection();
    for name in check.environment.without.iter().filter(|_| is_known) {
        let known = |(role, operation): &(Role, Operation<T>)| {
            *role != Role::Beginning && operation.name == *name
        };
        if !check.operations.iter().any(known) {
            let mut names: Vec<&str> = Vec::new();
            for (role, operation) in &check.operations {
                if *role != Role::Beginning && !names.contains(&operation.name.as_str()) {
                    names.push(&operation.name);
                }
            }
            objections.push(format!(
                "nothing is called `{name}`, which the environment is to be without; there is {}",
                names.join(", ")
            ));
        }
    }
    objections
}

/// All that other threads may do.
fn environment<T: 'static>(check: &Check<T>) -> Vec<&Operation<T>> {
    let is_allowed = |(role, operation): &&(Role, Operation<T>)| {
        let environment = &check.environment;
        let is_there = match role {
            Role::Method => !environment.is_open,
            Role::Observer => true,
            Role::Peer => environment.has_peers,
            Role::Collection(_) => environment.is_open,
            Role::Beginning => false,
        };
        is_there && !check.environment.without.contains(&operation.name)
    };
    let allowed = check.operations.iter().filter(is_allowed);
    allowed.map(|(_, operation)| operation).collect()
}

fn outcome(attacked: &Attacked, cuts: &[String]) -> Outcome {
    match &attacked.verdict {
        Verdict::Violated => Outcome::NotAtomic,
        Verdict::Inconclusive(reason) => Outcome::Inconclusive(reason.clone()),
        Verdict::Blocked => Outcome::Deadlock,
        Verdict::Untouched => Outcome::Inconclusive(
            "nothing to attack: the method uses no object of `commute`".to_owned(),
        ),
        Verdict::Atomic if !cuts.is_empty() => Outcome::Inconclusive(cuts.join("; ")),
        Verdict::Atomic => Outcome::Atomic,
    }
}

/// The smallest sets of operations, by their names, that are in every violation.
fn only_without(attacked: &Attacked, names: &[&str]) -> Vec<Vec<String>> {
    if attacked.violating.is_empty() {
        return Vec::new();
    }
    let mut kinds: Vec<&str> = Vec::new();
    for name in names {
        if !kinds.contains(name) {
            kinds.push(name);
        }
    }
    let bit = |operation: u32| {
        let kind = kinds
            .iter()
            .position(|kind| *kind == names[operation as usize]);
        kind.map_or(0, |kind| 1_u32.checked_shl(kind as u32).unwrap_or(0))
    };
    let violating: Vec<u32> = { attacked.violating.iter() }
        .map(|set| set.iter().fold(0, |bits, operation| bits | bit(*operation)))
        .collect();
    let all = 1_u32
        .checked_shl(kinds.len() as u32)
        .map_or(u32::MAX, |n| n - 1);
    let left_out = |set: u32| {
        let kinds = kinds.iter().enumerate();
        let left_out = kinds.filter(|(kind, _)| set >> kind & 1 == 0);
        left_out.map(|(_, name)| (*name).to_owned()).collect()
    };
    largest(all, &violating).into_iter().map(left_out).collect()
}
