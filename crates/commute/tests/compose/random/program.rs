//! Little programs over objects, as data.

/// Keys of maps and sets: few, so that they are often the same.
pub(crate) const KEYS: u32 = 3;

/// What a program may be about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    DashMap,
    LockedMap,
    DashSet,
    LockedSet,
    Atomic,
    LockedNumber,
}

impl Kind {
    pub(crate) fn is_locked(self) -> bool {
        matches!(self, Kind::LockedMap | Kind::LockedSet | Kind::LockedNumber)
    }

    /// What is done to such an object, in one step: dashmap clears one by one.
    pub(crate) fn actions(self) -> &'static [Action] {
        use Action::*;
        const MAP: [Action; 9] = [
            Get,
            Contains,
            Len,
            Insert,
            Insert,
            InsertIfAbsent,
            Remove,
            Replace,
            Clear,
        ];
        const SET: [Action; 6] = [Contains, Len, Insert, Insert, Remove, Clear];
        match self {
            Kind::DashMap => &MAP[..8],
            Kind::LockedMap => &MAP,
            Kind::DashSet => &SET[..5],
            Kind::LockedSet => &SET,
            Kind::Atomic | Kind::LockedNumber => &[Load, Store, Add, Swap, CompareExchange],
        }
    }
}

/// What can be done to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Get,
    Contains,
    Insert,
    InsertIfAbsent,
    Remove,
    Replace,
    Len,
    Clear,
    Load,
    Store,
    Add,
    Swap,
    CompareExchange,
}

impl Action {
    pub(crate) fn is_look(self) -> bool {
        use Action::{Contains, Get, Len, Load};
        matches!(self, Get | Contains | Len | Load)
    }

    /// Whether it sees nothing of what was there.
    pub(crate) fn is_blind(self) -> bool {
        matches!(self, Action::Clear | Action::Store)
    }
}

/// A value that a program computes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Term {
    Constant(u32),
    Argument,
    /// What an operation saw, zero if that is nothing.
    Seen(usize),
    /// One more than that.
    Next(usize),
}

/// Does something to an object and keeps in a slot what it saw.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) slot: usize,
    pub(crate) action: Action,
    pub(crate) key: Term,
    pub(crate) old: Term,
    pub(crate) value: Term,
}

/// What happens at once: one operation, or several in a critical section.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) object: usize,
    pub(crate) operations: Vec<Operation>,
    /// What is done to other objects then, with the lock still held.
    pub(crate) inside: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub(crate) enum Condition {
    IsSome(usize),
    IsNone(usize),
    Equal(usize, Term),
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Step(Step),
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// Does this until it holds, at most so often.
    Retry(usize, Vec<Statement>, Condition),
    Return,
    Panic,
}

#[derive(Clone, Debug)]
pub(crate) enum Shown {
    Slot(usize),
    Term(Term),
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) has_argument: bool,
    pub(crate) body: Vec<Statement>,
    pub(crate) returns: Vec<Shown>,
}

pub(crate) type Value = Option<u32>;

/// What a program returns, or that it panicked.
pub(crate) type Returned = Result<Vec<Value>, Panicked>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Panicked;

/// An operation with its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) action: Action,
    pub(crate) key: u32,
    pub(crate) old: u32,
    pub(crate) value: u32,
}

/// Does a step of a program, and what is inside.
pub(crate) type Does<'a> = &'a mut dyn FnMut(&Step, &mut Memory) -> Flow;

/// What a running program knows.
pub(crate) struct Memory {
    argument: u32,
    slots: Vec<Value>,
}

/// Why a list of statements is over.
pub(crate) enum Flow {
    Goes,
    Returns,
    Panics,
}

impl Program {
    /// The arguments that a check tries: the domain of a number, or nothing.
    pub(crate) fn arguments(&self) -> &'static [u32] {
        match self.has_argument {
            true => &[1, 2],
            false => &[0],
        }
    }

    /// Runs it. Somebody else does its steps.
    pub(crate) fn run(&self, argument: u32, does: Does<'_>) -> Returned {
        let mut memory = Memory {
            argument,
            slots: Vec::new(),
        };
        if let Flow::Panics = run_all(&self.body, &mut memory, does) {
            return Err(Panicked);
        }
        let show = |shown: &Shown| match shown {
            Shown::Slot(slot) => memory.slot(*slot),
            Shown::Term(term) => Some(memory.value(*term)),
        };
        Ok(self.returns.iter().map(show).collect())
    }
}

pub(crate) fn run_all(statements: &[Statement], memory: &mut Memory, does: Does<'_>) -> Flow {
    for statement in statements {
        let flow = match statement {
            Statement::Step(step) => does(step, memory),
            Statement::If(condition, yes, no) => match memory.holds(condition) {
                true => run_all(yes, memory, does),
                false => run_all(no, memory, does),
            },
            Statement::Retry(times, body, until) => retry(*times, body, until, memory, does),
            Statement::Return => Flow::Returns,
            Statement::Panic => Flow::Panics,
        };
        match flow {
            Flow::Goes => {}
            over => return over,
        }
    }
    Flow::Goes
}

fn retry(
    times: usize,
    body: &[Statement],
    until: &Condition,
    memory: &mut Memory,
    does: Does<'_>,
) -> Flow {
    for _ in 0..times {
        match run_all(body, memory, does) {
            Flow::Goes if memory.holds(until) => return Flow::Goes,
            Flow::Goes => {}
            over => return over,
        }
    }
    Flow::Goes
}

impl Step {
    pub(crate) fn new(object: usize, operations: Vec<Operation>) -> Step {
        Step {
            object,
            operations,
            inside: Vec::new(),
        }
    }

    pub(crate) fn only_looks(&self) -> bool {
        self.operations.iter().all(|o| o.action.is_look())
    }

    /// Does its operations one after the other.
    pub(crate) fn each(&self, memory: &mut Memory, mut act: impl FnMut(Call) -> Value) {
        for operation in &self.operations {
            let seen = act(Call {
                action: operation.action,
                key: memory.value(operation.key) % KEYS,
                old: memory.value(operation.old),
                value: memory.value(operation.value),
            });
            let slots = &mut memory.slots;
            slots.resize(slots.len().max(operation.slot + 1), None);
            slots[operation.slot] = seen;
        }
    }
}

impl Memory {
    fn slot(&self, slot: usize) -> Value {
        self.slots.get(slot).copied().flatten()
    }

    fn value(&self, term: Term) -> u32 {
        match term {
            Term::Constant(value) => value,
            Term::Argument => self.argument,
            Term::Seen(slot) => self.slot(slot).unwrap_or(0),
            Term::Next(slot) => self.slot(slot).map_or(1, |n| n.wrapping_add(1)),
        }
    }

    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::IsSome(slot) => self.slot(*slot).is_some(),
            Condition::IsNone(slot) => self.slot(*slot).is_none(),
            Condition::Equal(slot, term) => self.slot(*slot) == Some(self.value(*term)),
        }
    }
}
