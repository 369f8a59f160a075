//! Runs a check.

use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;

use commute_compose::{Attacked, Setting, Shared, Verdict, attack, largest};
use commute_explore::models;
use commute_explore::runtime::{self, Call, First, Object, Returned, Test};
use commute_record::Value;

use super::check::{Check, Checked, Operation, Outcome, Role};

/// Runs at most.
const MOST: u64 = 10_000_000;

/// What can be run again and again.
struct Arena<T> {
    new: Rc<dyn Fn() -> T>,
    /// Where each case begins, and what the method is then.
    cases: Vec<(Option<Work<T>>, Work<T>)>,
    operations: Vec<Work<T>>,
    observers: Vec<Work<T>>,
    texts: Shared,
    setting: Setting,
    at: &'static Location<'static>,
}

type Work<T> = Rc<dyn Fn(&T) -> String>;

#[track_caller]
pub(super) fn run<T: 'static>(check: Check<T>) -> Checked {
    let at = Location::caller();
    if !runtime::is_inside() {
        return run_here(check, at);
    }
    // The stack of a thread of a test is small, and nobody else is to be asked meanwhile.
    let check = Lent(check);
    std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            let Lent(check) = { check };
            Lent(run_here(check, at))
        });
        match thread.join() {
            Ok(Lent(checked)) => checked,
            Err(payload) => resume_unwind(payload),
        }
    })
}

/// Goes to another thread, which is waited for.
struct Lent<T>(T);

// SAFETY: whoever lends it does nothing before the other thread has ended, so it is used
// by one thread at a time. What it shares with the lender's thread-locals is for the
// user's closures to answer for: they are run in threads of tests anyway.
#[expect(unsafe_code, reason = "only one of the two threads runs")]
unsafe impl<T> Send for Lent<T> {}

fn run_here<T: 'static>(check: Check<T>, at: &'static Location<'static>) -> Checked {
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
    let operations = environment(&check);
    let texts = Shared::default();
    let observers: Vec<Work<T>> = check
        .all(Role::Observer)
        .map(|o| Rc::clone(&o.run))
        .collect();
    let setting = Setting {
        cases: cases.len() as u32,
        operations: operations.len() as u32,
        observers: observers.len() as u32,
        steps: check.steps as u32,
        prune: check.prunes,
        most: MOST,
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
    let mut test = Test::new(move || arena.run());
    let attacked = attack(&mut test, &texts, &setting);
    let names: Vec<&str> = operations.iter().map(|o| o.name.as_str()).collect();
    let shown: Vec<&str> = operations.iter().map(|o| o.shown.as_str()).collect();
    checked(&attacked, &names, &shown, &case_names, &check.objections)
}

/// All that other threads may do.
fn environment<T: 'static>(check: &Check<T>) -> Vec<&Operation<T>> {
    let is_allowed = |(role, operation): &&(Role, Operation<T>)| {
        let is_there = match role {
            Role::Method | Role::Observer => true,
            Role::Peer => check.environment.has_peers,
            Role::Beginning => false,
        };
        is_there && !check.environment.without.contains(&operation.name)
    };
    let allowed = check.operations.iter().filter(is_allowed);
    allowed.map(|(_, operation)| operation).collect()
}

impl<T: 'static> Arena<T> {
    fn run(self: &Rc<Self>) {
        self.texts.borrow_mut().texts.clear();
        let choice = runtime::Mark::default();
        let Some(case) = choose(&choice) else { return };
        let object = Rc::new((self.new)());
        runtime::name_inside(&*object);
        if let Some((Some(begin), _)) = self.cases.get(case) {
            begin(&object);
        }
        // A number that no thread has is the end.
        let threads = self.setting.threads();
        while let Some(thread) = choose(&choice).map(|n| n as u32).filter(|n| *n < threads) {
            self.start(case, thread, &object);
        }
    }

    /// What the thread with this number does.
    fn work(&self, case: usize, thread: u32) -> Option<&Work<T>> {
        let setting = &self.setting;
        if thread == 0 {
            return self.cases.get(case).map(|(_, method)| method);
        }
        match setting.as_operation(thread) {
            Some(operation) => self.operations.get(operation as usize),
            None => self.observers.get(setting.as_observer(thread)? as usize),
        }
    }

    fn start(self: &Rc<Self>, case: usize, thread: u32, object: &Rc<T>) {
        let (arena, object) = (Rc::clone(self), Rc::clone(object));
        let job = move || {
            let begin = runtime::Mark::default();
            choose(&begin);
            if let Some(work) = arena.work(case, thread) {
                let returned = returned(work, &object);
                arena.texts.borrow_mut().texts.push((thread, returned));
            }
            Returned::Value(Value::unit())
        };
        let mark = runtime::Mark::default();
        let model = || {
            First::new(
                Arc::new(models::Thread),
                Value::Nil,
                "thread",
                Some(self.at),
            )
        };
        let objects = [Object {
            mark: &mark,
            first: &model,
        }];
        let call = Call::new(&objects, "spawn", &[], self.at);
        let number = case as u32 * self.setting.threads() + thread;
        let name = match thread {
            0 => "method",
            _ => "environment",
        };
        runtime::spawn_numbered(&call, number, name, Box::new(job));
    }
}

fn choose(choice: &runtime::Mark) -> Option<usize> {
    match runtime::choose(choice)? {
        Value::Int(n) => usize::try_from(n).ok(),
        _ => None,
    }
}

/// What something returns, or that it panicked.
fn returned<T>(work: &Work<T>, object: &T) -> String {
    match catch_unwind(AssertUnwindSafe(|| work(object))) {
        Ok(text) => text,
        Err(payload) if runtime::is_stopped() => resume_unwind(payload),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            format!("panicked: {}", text.unwrap_or("with something"))
        }
    }
}

fn checked(
    attacked: &Attacked,
    names: &[&str],
    shown: &[&str],
    cases: &[(Option<String>, String)],
    objections: &[String],
) -> Checked {
    let mut kinds: Vec<&str> = Vec::new();
    for name in names {
        if !kinds.contains(name) {
            kinds.push(name);
        }
    }
    let bit = |operation: u32| {
        let name = names[operation as usize];
        let kind = kinds.iter().position(|kind| *kind == name);
        kind.map_or(0, |kind| 1_u32.checked_shl(kind as u32).unwrap_or(0))
    };
    let violating: Vec<u32> = { attacked.violating.iter() }
        .map(|set| set.iter().fold(0, |bits, op| bits | bit(*op)))
        .collect();
    let all = 1_u32
        .checked_shl(kinds.len() as u32)
        .map_or(u32::MAX, |n| n - 1);
    let only_without: Vec<Vec<String>> = match violating.is_empty() {
        true => Vec::new(),
        false => { largest(all, &violating).into_iter() }
            .map(|set| {
                let left_out = (0..kinds.len()).filter(|kind| set >> kind & 1 == 0);
                left_out.map(|kind| kinds[kind].to_owned()).collect()
            })
            .collect(),
    };
    let outcome = match &attacked.verdict {
        Verdict::Violated => Outcome::NotAtomic,
        Verdict::Inconclusive(reason) => Outcome::Inconclusive(reason.clone()),
        Verdict::Blocked => Outcome::Deadlock,
        Verdict::Untouched => Outcome::Inconclusive(
            "nothing to attack: the method uses no object of `commute`".to_owned(),
        ),
        Verdict::Atomic if !objections.is_empty() => Outcome::Inconclusive(objections.join("; ")),
        Verdict::Atomic => Outcome::Atomic,
    };
    let text = match (&outcome, &attacked.violation) {
        (Outcome::NotAtomic, Some(violation)) => {
            let (begin, method) = &cases[violation.case as usize];
            let mut text = format!("not atomic: {method}");
            if let Some(begin) = begin {
                text += &format!(" after {begin}");
            }
            text += &format!(" returned {:?}", violation.journal.method);
            for (op, result) in violation
                .operations
                .iter()
                .zip(&violation.journal.operations)
            {
                text += &format!("\n  {} = {result}", shown[*op as usize]);
            }
            text += &format!("\n  then {:?}", violation.journal.observations);
            text += &format!("\n  instead {:?}", violation.instead);
            text
        }
        (outcome, _) => format!("{outcome:?}"),
    };
    Checked {
        outcome,
        text,
        executions: attacked.executions,
        pruned: attacked.pruned,
        histories: attacked.histories,
        only_without,
    }
}
