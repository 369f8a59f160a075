//! Random small programs.

use std::rc::Rc;
use std::sync::Arc;

use commute_explore::{Model, models};
use commute_model::Value;

use crate::interpreted::{Look, Source, Stmt};

/// Numbers that look random, the same for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub(crate) fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    pub(crate) fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Sort {
    Specified(&'static str),
    Mutex,
    Semaphore,
    Condvar,
}

const SORTS: &[Sort] = &[
    Sort::Specified("set"),
    Sort::Specified("set"),
    Sort::Specified("map"),
    Sort::Specified("counter"),
    Sort::Specified("register"),
    Sort::Specified("register"),
    Sort::Specified("queue"),
    Sort::Specified("union_find"),
    Sort::Specified("hashset"),
    Sort::Specified("stack"),
    Sort::Specified("bounded_queue"),
    Sort::Specified("atomic"),
    Sort::Mutex,
    Sort::Mutex,
    Sort::Semaphore,
    Sort::Condvar,
];

/// An object, and what the threads of a program call of it: few methods with few
/// arguments, so that they meet.
struct Used {
    sort: Sort,
    calls: Vec<(&'static str, Vec<Value>)>,
}

impl Used {
    fn new(dice: &mut Dice, sort: Sort) -> Used {
        let calls = match sort {
            Sort::Specified(name) => {
                let model = commute_spec::models::named(name).expect("a built-in model");
                let calls = (0..2 + dice.below(3)).map(|_| {
                    let method = dice.one_of(model.methods()).name;
                    let mut few = model.arguments(method);
                    few.truncate(4);
                    (method, dice.one_of(&few))
                });
                calls.collect()
            }
            Sort::Semaphore => {
                let methods = ["acquire", "try_acquire", "release", "release"];
                methods.map(|method| (method, vec![])).to_vec()
            }
            Sort::Mutex | Sort::Condvar => vec![],
        };
        Used { sort, calls }
    }

    fn object(&self, dice: &mut Dice) -> (Arc<dyn Model>, Value) {
        match self.sort {
            Sort::Specified(name) => {
                let model = models::Specified::named(name).expect("a built-in model");
                let initial = model.initial();
                (Arc::new(model), initial)
            }
            Sort::Mutex => (Arc::new(models::Lock), models::Lock::initial()),
            Sort::Semaphore => {
                let permits = Value::Int(dice.below(2) as i128);
                (Arc::new(models::Semaphore), permits)
            }
            Sort::Condvar => (Arc::new(models::Condvar), models::Condvar::initial()),
        }
    }
}

/// The same, in which threads look at something again and again until it is so. Every
/// other call of what only looks is like that.
pub(crate) fn program_that_spins(dice: &mut Dice, threads: usize, length: usize) -> Source {
    let Source {
        objects,
        threads: bodies,
    } = program(dice, threads, length);
    let bodies = { bodies.iter() }.map(|body| spinning(dice, body).into());
    Source {
        threads: bodies.collect(),
        objects,
    }
}

/// The same, in which they look at several things in every round.
pub(crate) fn program_that_looks_around(dice: &mut Dice, threads: usize, length: usize) -> Source {
    let mut source = program_that_spins(dice, threads, length);
    let mut looks = Vec::new();
    for body in &source.threads {
        all_looks(body, &mut looks);
    }
    let bodies = { source.threads.iter() }.map(|body| looking_around(dice, body, &looks).into());
    source.threads = bodies.collect();
    source
}

fn all_looks(body: &[Stmt], looks: &mut Vec<Look>) {
    for stmt in body {
        match stmt {
            Stmt::Until(object, method, args, value) => {
                looks.push((*object, *method, args.clone(), value.clone()));
            }
            Stmt::Call(object, method, args) if LOOKS.contains(method) => {
                looks.push((*object, *method, args.clone(), Value::Int(1)));
            }
            Stmt::If(_, then, otherwise) => {
                all_looks(then, looks);
                all_looks(otherwise, looks);
            }
            _ => {}
        }
    }
}

fn looking_around(dice: &mut Dice, body: &[Stmt], looks: &[Look]) -> Vec<Stmt> {
    let mut stmts = Vec::new();
    for stmt in body {
        stmts.push(match stmt {
            Stmt::Until(object, method, args, value) => {
                let mut all = vec![(*object, *method, args.clone(), value.clone())];
                for _ in 0..1 + dice.below(2) {
                    let at = dice.below(all.len() + 1);
                    all.insert(at, dice.one_of(looks));
                }
                Stmt::UntilAll(all, dice.chance(2))
            }
            Stmt::If(value, then, otherwise) => {
                let then = looking_around(dice, then, looks);
                let otherwise = looking_around(dice, otherwise, looks);
                Stmt::If(value.clone(), then.into(), otherwise.into())
            }
            other => other.clone(),
        });
    }
    stmts
}

/// Methods that only look.
const LOOKS: &[&str] = &[
    "read",
    "load",
    "contains",
    "contains_key",
    "size",
    "len",
    "is_empty",
    "get",
    "find",
    "peek",
];

fn spinning(dice: &mut Dice, body: &[Stmt]) -> Vec<Stmt> {
    let mut stmts = Vec::new();
    for stmt in body {
        stmts.push(match stmt {
            Stmt::Call(object, method, args) if LOOKS.contains(method) && dice.chance(2) => {
                let value =
                    dice.one_of(&[true.into(), Value::Int(0), Value::Int(1), Value::Int(2)]);
                Stmt::Until(*object, method, args.clone(), value)
            }
            Stmt::If(value, then, otherwise) => {
                let (then, otherwise) = (spinning(dice, then), spinning(dice, otherwise));
                Stmt::If(value.clone(), then.into(), otherwise.into())
            }
            other => other.clone(),
        });
    }
    stmts
}

/// A program with at most so many threads, the first of which starts the others, and so
/// many statements in each.
pub(crate) fn program(dice: &mut Dice, threads: usize, length: usize) -> Source {
    let mut sorts: Vec<Sort> = (0..1 + dice.below(2)).map(|_| dice.one_of(SORTS)).collect();
    if sorts.contains(&Sort::Condvar) {
        // The first is a mutex, for those who wait.
        sorts.insert(0, Sort::Mutex);
    }
    let used: Vec<Used> = sorts.into_iter().map(|s| Used::new(dice, s)).collect();
    let objects = used.iter().map(|used| used.object(dice)).collect();
    let count = 2 + dice.below(threads - 1);
    let mut bodies: Vec<Rc<[Stmt]>> = Vec::new();
    for thread in 0..count {
        let length = 1 + dice.below(length);
        let mut stmts = body(dice, &used, length, &mut Vec::new());
        // The first thread may wait for another before, after or between what it does.
        if thread == 0 && dice.chance(2) {
            let at = dice.below(stmts.len() + 1);
            stmts.insert(at, Stmt::Join(1 + dice.below(count - 1)));
        }
        bodies.push(stmts.into());
    }
    Source {
        objects,
        threads: bodies,
    }
}

/// The same, in which most threads do the same, and the first waits for some of them.
pub(crate) fn program_of_copies(dice: &mut Dice, threads: usize, length: usize) -> Source {
    let mut source = program(dice, 3, length);
    let copied = source.threads.len() - 1;
    while source.threads.len() < threads {
        source.threads.push(Rc::clone(&source.threads[copied]));
    }
    let mut first = source.threads[0].to_vec();
    let mut others: Vec<usize> = (1..threads).collect();
    for _ in 0..dice.below(threads) {
        let other = others.remove(dice.below(others.len()));
        let join = Stmt::Join(other);
        if first.contains(&join) {
            continue;
        }
        // One after the other, or with something in between.
        let joins = |stmt: &Stmt| matches!(stmt, Stmt::Join(_));
        let at = match first.iter().position(joins) {
            Some(at) if !dice.chance(4) => at + dice.below(2),
            _ => dice.below(first.len() + 1),
        };
        first.insert(at, join);
    }
    source.threads[0] = first.into();
    source
}

/// The same, in which some are started later, and by others, and wait for others.
pub(crate) fn program_of_late_copies(dice: &mut Dice, threads: usize, length: usize) -> Source {
    let mut source = program_of_copies(dice, threads, length);
    for thread in 2..source.threads.len() {
        if dice.chance(3) {
            let mut body = source.threads[thread].to_vec();
            let join = Stmt::Join(1 + dice.below(thread - 1));
            body.insert(dice.below(body.len() + 1), join);
            source.threads[thread] = body.into();
        }
    }
    for thread in 1..source.threads.len() {
        if dice.chance(2) {
            continue;
        }
        let parent = if dice.chance(2) {
            0
        } else {
            dice.below(thread)
        };
        let mut body = source.threads[parent].to_vec();
        let at = dice.below(body.len() + 1);
        // Whoever is waited for is there.
        let joins = |stmt: &Stmt| *stmt == Stmt::Join(thread);
        let latest = body.iter().position(joins).unwrap_or(at);
        body.insert(at.min(latest), Stmt::Start(thread));
        source.threads[parent] = body.into();
    }
    source
}

/// Statements; mutexes in `held` are held.
fn body(dice: &mut Dice, used: &[Used], length: usize, held: &mut Vec<usize>) -> Vec<Stmt> {
    let mut stmts = Vec::new();
    for _ in 0..length {
        let object = dice.below(used.len());
        match used[object].sort {
            Sort::Specified(_) | Sort::Semaphore => {
                let (method, args) = dice.one_of(&used[object].calls);
                stmts.push(Stmt::Call(object, method, args));
            }
            Sort::Mutex => {
                // Seldom, a mutex is locked by whoever has it.
                if held.contains(&object) && !dice.chance(10) {
                    continue;
                }
                stmts.push(Stmt::Lock(object));
                held.push(object);
                let inside = dice.below(2);
                stmts.extend(body(dice, used, inside, held));
                held.pop();
                // Seldom, it is never given back.
                if !dice.chance(12) {
                    stmts.push(Stmt::Unlock(object, dice.chance(2)));
                }
            }
            Sort::Condvar => match dice.below(3) {
                0 if !held.contains(&0) => {
                    stmts.push(Stmt::Lock(0));
                    stmts.push(Stmt::Wait(object, 0));
                    stmts.push(Stmt::Unlock(0, dice.chance(2)));
                }
                1 => stmts.push(Stmt::Call(object, "notify_all", vec![])),
                _ => stmts.push(Stmt::Call(object, "notify_one", vec![])),
            },
        }
        if dice.chance(3) {
            let results = [
                true.into(),
                false.into(),
                Value::Int(0),
                Value::Int(1),
                Value::Nil,
            ];
            let value = dice.one_of(&results);
            let then = dice.below(2);
            let then = body(dice, used, then, held);
            let otherwise = dice.below(2);
            let otherwise = body(dice, used, otherwise, held);
            stmts.push(Stmt::If(value, then.into(), otherwise.into()));
        }
        if dice.chance(12) {
            stmts.push(Stmt::FailIf(dice.one_of(&[false.into(), Value::Int(1)])));
        }
    }
    stmts
}
