//! Random statements.

use std::collections::BTreeSet;

use commute_lint::ir::{Effect, Local, Operand, Place, Rule, Terminator};

use crate::body::{Body, constant, moved, place, through};
use crate::random::{Callable, Generator};

/// Writes the body of one function.
pub(crate) struct Writer<'w, 'b> {
    pub(crate) generator: &'w mut Generator,
    pub(crate) body: Body<'b>,
    /// Locals that hold numbers.
    pub(crate) ints: Vec<Local>,
    /// Locks that are held here, their guards and their contents.
    pub(crate) open: Vec<(usize, Local, Local)>,
    pub(crate) taken: BTreeSet<usize>,
}

impl Writer<'_, '_> {
    fn below(&mut self, bound: usize) -> usize {
        self.generator.numbers.below(bound)
    }

    /// A number: mostly one that was made lately.
    fn int(&mut self) -> Local {
        let recent = self.ints.len().min(3);
        match self.below(3) {
            0 => self.ints[self.generator.numbers.below(self.ints.len())],
            _ => self.ints[self.ints.len() - 1 - self.generator.numbers.below(recent)],
        }
    }

    pub(crate) fn operand(&mut self) -> Operand {
        match self.below(5) {
            0 => constant(self.generator.numbers.below(4) as i64),
            _ => place(self.int()),
        }
    }

    fn new_int(&mut self) -> Local {
        let local = self.body.local("i32");
        self.ints.push(local);
        local
    }

    pub(crate) fn statements(&mut self, budget: usize, depth: usize) {
        for _ in 0..budget {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let inner = 1 + self.below(3);
        match self.below(15) {
            0..=2 if depth < 4 => self.region(inner, depth),
            3..=5 if !self.open.is_empty() => self.access(),
            3 if depth < 4 => self.region(inner, depth),
            6 => self.compute(),
            7 | 8 if depth < 3 && self.body.blocks() < 40 => self.branch(inner, depth),
            9 if self.generator.loops && depth < 2 && self.body.blocks() < 40 => {
                self.repeat(inner, depth)
            }
            10 | 11 => self.call(),
            12 => self.bump(),
            13 => self.atomic(),
            _ if !self.open.is_empty() => self.access(),
            _ => self.call(),
        }
    }

    fn region(&mut self, inner: usize, depth: usize) {
        let lock = self.below(self.body.builder.shape.locks.len());
        if self.open.iter().any(|(held, _, _)| *held == lock) {
            return self.access();
        }
        self.taken.insert(lock);
        let guard = match self.below(4) {
            0 => {
                let guard_type = self.body.builder.guard_type(lock);
                let guard = self.body.local(&guard_type);
                self.body
                    .call(guard, self.generator.guards[lock], vec![place(Local(1))]);
                guard
            }
            _ => self.body.lock(lock),
        };
        let content = self.body.deref(guard, lock);
        self.open.push((lock, guard, content));
        self.access();
        self.statements(inner, depth + 1);
        self.open.pop();
        if self.below(4) == 0 {
            let nothing = self.body.local("()");
            self.body
                .library(nothing, "mem::drop", Effect::Release, vec![moved(guard)]);
        } else {
            self.body.drop(guard);
        }
    }

    /// Reads or writes what an open guard guards.
    fn access(&mut self) {
        let Some(at) = self.open.len().checked_sub(1) else {
            return;
        };
        let (lock, _, content) = self.open[at - self.generator.numbers.below(at + 1)];
        let fields = &self.body.builder.shape.locks[lock].1;
        let variable = through(content, fields[self.generator.numbers.below(fields.len())]);
        if self.below(2) == 0 {
            let local = self.new_int();
            self.body.assign(
                Place::local(local),
                Rule::Copy,
                vec![Operand::Place(variable, false)],
            );
        } else if self.below(2) == 0 {
            let value = self.operand();
            self.body.assign(variable, Rule::Copy, vec![value]);
        } else {
            let values = vec![self.operand(), self.operand()];
            self.body.assign(variable, Rule::Compute, values);
        }
    }

    /// A new number, or a new value for an old one.
    fn compute(&mut self) {
        let values = vec![self.operand(), self.operand()];
        let to = if self.below(2) == 0 {
            self.int()
        } else {
            self.new_int()
        };
        self.body.assign(Place::local(to), Rule::Compute, values);
    }

    fn branch(&mut self, inner: usize, depth: usize) {
        let on = place(self.int());
        let (then, otherwise, join) = (self.body.block(), self.body.block(), self.body.block());
        self.body.end(Terminator::Branch {
            on,
            targets: vec![otherwise, then],
        });
        for (block, leave) in [(then, self.below(6) == 0), (otherwise, false)] {
            self.body.go_on_in(block);
            let known = self.ints.len();
            if block == then || self.below(2) == 0 {
                self.statements(inner, depth + 1);
            }
            if leave {
                let result = self.operand();
                self.finish(result);
            } else {
                self.body.end(Terminator::Goto(join));
            }
            self.ints.truncate(known);
        }
        self.body.go_on_in(join);
    }

    /// Once or twice; no guard is kept from one round to the next.
    fn repeat(&mut self, inner: usize, depth: usize) {
        let counter = self.body.local("i32");
        let rounds = 1 + self.below(2) as i64;
        self.body
            .assign(Place::local(counter), Rule::Copy, vec![constant(rounds)]);
        let (head, inside, after) = (self.body.block(), self.body.block(), self.body.block());
        self.body.end(Terminator::Goto(head));
        self.body.go_on_in(head);
        self.body.end(Terminator::Branch {
            on: place(counter),
            targets: vec![after, inside, inside],
        });
        self.body.go_on_in(inside);
        let known = self.ints.len();
        self.statements(inner, depth + 1);
        // Sums count modulo 4: this is one less.
        self.body.assign(
            Place::local(counter),
            Rule::Compute,
            vec![place(counter), constant(3)],
        );
        self.body.end(Terminator::Goto(head));
        self.ints.truncate(known);
        self.body.go_on_in(after);
    }

    fn call(&mut self) {
        let held = &self.open;
        let possible: Vec<Callable> = self
            .generator
            .callable
            .iter()
            .filter(|callable| {
                !held
                    .iter()
                    .any(|(lock, _, _)| callable.locks.contains(lock))
            })
            .cloned()
            .collect();
        if possible.is_empty() {
            return self.access();
        }
        let callable = &possible[self.generator.numbers.below(possible.len())];
        self.taken.extend(&callable.locks);
        let mut arguments = vec![place(Local(1))];
        for _ in 1..callable.parameters {
            arguments.push(self.operand());
        }
        let result = self.body.builder.program.function(callable.id).locals[0].ty;
        let number = self.body.builder.program.types[result.index()].name == "i32";
        let to = if number {
            self.new_int()
        } else {
            self.body.local("()")
        };
        self.body.call(to, callable.id, arguments);
    }

    fn bump(&mut self) {
        let Some((lock, _, content)) = self.open.last().copied() else {
            return self.call();
        };
        let value = self.operand();
        let to = self.new_int();
        self.body
            .call(to, self.generator.bumps[lock], vec![place(content), value]);
    }

    fn atomic(&mut self) {
        match self.below(5) {
            0 | 1 => {
                let result = self.body.atomic("load", vec![]);
                self.ints.push(result);
            }
            2 => {
                let value = self.operand();
                self.body.atomic("store", vec![value]);
            }
            3 => {
                let value = self.operand();
                let result = self.body.atomic("fetch_add", vec![value]);
                self.ints.push(result);
            }
            _ => {
                let values = vec![self.operand(), self.operand()];
                let result = self.body.atomic("compare_exchange", values);
                self.ints.push(result);
            }
        }
    }

    /// Gives up what is held, and returns.
    pub(crate) fn finish(&mut self, result: Operand) {
        self.body
            .assign(Place::local(Local(0)), Rule::Copy, vec![result]);
        for (_, guard, _) in self.open.clone().into_iter().rev() {
            self.body.drop(guard);
        }
        self.body.end(Terminator::Return);
    }
}
