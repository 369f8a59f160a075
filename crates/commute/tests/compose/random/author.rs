//! Writes random programs.

use super::drawn::Dice;
use super::program::{
    Action, Condition, KEYS, Kind, Operation, Program, Shown, Statement, Step, Term,
};

/// Writes programs about objects of these kinds.
pub(super) struct Author {
    dice: Dice,
    kinds: Vec<Kind>,
    /// How many slots are in use by the program that is being written.
    slots: usize,
    has_argument: bool,
}

impl Author {
    pub(super) fn new(dice: Dice, kinds: Vec<Kind>) -> Author {
        Author {
            dice,
            kinds,
            slots: 0,
            has_argument: false,
        }
    }

    pub(super) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    fn begin(&mut self) {
        self.slots = 0;
        self.has_argument = self.dice.below(3) > 0;
    }

    fn program(&mut self, body: Vec<Statement>, returns: Vec<Shown>) -> Program {
        Program {
            has_argument: self.has_argument,
            body,
            returns,
        }
    }

    pub(super) fn method(&mut self) -> Program {
        self.begin();
        let mut body = match self.dice.below(8) {
            0 => self.everywhere(Action::is_look),
            1 => self.everywhere(Action::is_blind),
            2 | 3 => vec![self.retry()],
            4 => vec![self.nested()],
            _ => vec![self.step(|_| true)],
        };
        for _ in 0..[0, 0, 1, 2][self.dice.below(4)] {
            let statement = match self.dice.below(6) {
                0 => self.retry(),
                1 | 2 => self.step(|_| true),
                _ => self.branch(),
            };
            body.push(statement);
        }
        let returns = self.returns();
        self.program(body, returns)
    }

    pub(super) fn peer(&mut self) -> Program {
        self.begin();
        let changes = |action: Action| !action.is_look();
        let body = match self.dice.below(8) {
            0 => self.everywhere(Action::is_blind),
            1 => vec![self.step(changes), self.step(|_| true)],
            2 => vec![self.step(changes), self.branch()],
            _ => vec![self.step(changes)],
        };
        let returns = match self.dice.below(3) {
            0 => self.returns(),
            _ => (0..self.slots).map(Shown::Slot).collect(),
        };
        self.program(body, returns)
    }

    /// Two steps of this sort, one on each object if there are two. What is seen and done
    /// then is often explained by one order only.
    fn everywhere(&mut self, is_wanted: fn(Action) -> bool) -> Vec<Statement> {
        let first = self.dice.below(2);
        let objects = [first, 1 - first].map(|object| object % self.kinds.len());
        let steps = objects.map(|object| Statement::Step(self.step_on(object, is_wanted)));
        steps.into()
    }

    /// An observer that looks somewhere.
    pub(super) fn looks(&mut self) -> Program {
        self.begin();
        let body = vec![self.step(Action::is_look)];
        let returns = (0..self.slots).map(Shown::Slot).collect();
        self.program(body, returns)
    }

    /// An observer that looks at all keys of all objects.
    pub(super) fn sees_all(&mut self) -> Program {
        self.begin();
        self.has_argument = false;
        let mut body = Vec::new();
        for object in 0..self.kinds.len() {
            let (action, keys) = match self.kinds[object] {
                Kind::DashMap | Kind::LockedMap => (Action::Get, KEYS),
                Kind::DashSet | Kind::LockedSet => (Action::Contains, KEYS),
                Kind::Atomic | Kind::LockedNumber => (Action::Load, 1),
            };
            for key in (0..keys).map(Term::Constant) {
                let operation = Operation {
                    slot: self.new_slot(),
                    action,
                    key,
                    old: key,
                    value: key,
                };
                body.push(Statement::Step(Step::new(object, vec![operation])));
            }
        }
        let returns = (0..self.slots).map(Shown::Slot).collect();
        self.program(body, returns)
    }

    pub(super) fn beginning(&mut self) -> Program {
        self.begin();
        let steps = self.dice.between(1, 2);
        let body = (0..steps).map(|_| self.step(|action| !action.is_look()));
        let body = body.collect();
        self.program(body, Vec::new())
    }

    fn returns(&mut self) -> Vec<Shown> {
        match self.dice.below(6) {
            0 => Vec::new(),
            1 => vec![Shown::Term(self.term())],
            2 => vec![Shown::Term(self.term()), Shown::Slot(self.slot())],
            3 => vec![Shown::Slot(self.slot())],
            _ => (0..self.slots).map(Shown::Slot).collect(),
        }
    }

    /// A slot that is in use, mostly the last one.
    fn slot(&mut self) -> usize {
        match self.dice.below(3) {
            0 => self.dice.below(self.slots.max(1)),
            _ => self.slots.saturating_sub(1),
        }
    }

    fn new_slot(&mut self) -> usize {
        self.slots += 1;
        self.slots - 1
    }

    fn term(&mut self) -> Term {
        match self.dice.below(6) {
            0 | 1 if self.has_argument => Term::Argument,
            2 if self.slots > 0 => Term::Seen(self.slot()),
            3 if self.slots > 0 => Term::Next(self.slot()),
            _ => Term::Constant(self.dice.between(1, 2) as u32),
        }
    }

    fn operation(&mut self, kind: Kind, is_wanted: fn(Action) -> bool) -> Operation {
        let all = kind.actions();
        let wanted: Vec<Action> = all.iter().copied().filter(|a| is_wanted(*a)).collect();
        let action = match wanted.is_empty() {
            true => *self.dice.pick(all),
            false => *self.dice.pick(&wanted),
        };
        let (key, old, value) = (self.term(), self.term(), self.term());
        Operation {
            slot: self.new_slot(),
            action,
            key,
            old,
            value,
        }
    }

    fn step(&mut self, is_wanted: fn(Action) -> bool) -> Statement {
        let object = self.dice.below(self.kinds.len());
        Statement::Step(self.step_on(object, is_wanted))
    }

    fn step_on(&mut self, object: usize, is_wanted: fn(Action) -> bool) -> Step {
        let kind = self.kinds[object];
        let operations = match kind.is_locked() && self.dice.below(3) == 0 {
            true => 2,
            false => 1,
        };
        let operations = (0..operations).map(|_| self.operation(kind, is_wanted));
        let operations = operations.collect();
        Step::new(object, operations)
    }

    /// Holds a lock while something is done to the other object, if there are both.
    fn nested(&mut self) -> Statement {
        let object = self.dice.below(self.kinds.len());
        let mut step = self.step_on(object, |_| true);
        if self.kinds.len() == 2 && self.kinds[object].is_locked() {
            for _ in 0..self.dice.between(1, 2) {
                let inner = self.step_on(1 - object, |_| true);
                step.inside.push(Statement::Step(inner));
            }
        }
        Statement::Step(step)
    }

    fn condition(&mut self) -> Condition {
        let slot = self.slot();
        match self.dice.below(3) {
            0 => Condition::IsSome(slot),
            1 => Condition::IsNone(slot),
            _ => Condition::Equal(slot, self.term()),
        }
    }

    fn branch(&mut self) -> Statement {
        let condition = self.condition();
        let yes = self.in_branch();
        let no = match self.dice.below(3) {
            0 => self.in_branch(),
            _ => Vec::new(),
        };
        Statement::If(condition, yes, no)
    }

    fn in_branch(&mut self) -> Vec<Statement> {
        match self.dice.below(8) {
            0 => vec![Statement::Panic],
            1 => vec![Statement::Return],
            2 => vec![self.step(|_| true), Statement::Return],
            3 => vec![self.step(|_| true), Statement::Panic],
            _ => vec![self.step(|_| true)],
        }
    }

    /// Tries until nobody was in between, or something less sensible.
    fn retry(&mut self) -> Statement {
        let times = self.dice.between(1, 4);
        let object = self.dice.below(self.kinds.len());
        let (look, change) = match self.kinds[object] {
            Kind::DashMap | Kind::LockedMap => (Action::Get, Action::Replace),
            Kind::Atomic | Kind::LockedNumber => (Action::Load, Action::CompareExchange),
            Kind::DashSet | Kind::LockedSet => (Action::Contains, Action::Insert),
        };
        let key = self.term();
        let (seen, done) = (self.new_slot(), self.new_slot());
        let step = |slot, action, value| {
            let operation = Operation {
                slot,
                action,
                key,
                old: Term::Seen(seen),
                value,
            };
            Statement::Step(Step::new(object, vec![operation]))
        };
        let value = match self.dice.below(2) {
            0 => Term::Next(seen),
            _ => self.term(),
        };
        let mut body = vec![step(seen, look, value)];
        let change = step(done, change, value);
        if self.dice.below(2) == 0 {
            let absent = match look {
                Action::Get => vec![step(done, Action::InsertIfAbsent, value)],
                _ => self.in_branch(),
            };
            body.push(Statement::If(Condition::IsNone(seen), absent, vec![change]));
        } else {
            body.push(change);
        }
        let until = match self.dice.below(4) {
            0 => self.condition(),
            _ => Condition::IsSome(done),
        };
        Statement::Retry(times, body, until)
    }
}
