//! Random small programs.

use std::collections::BTreeSet;

use commute_lint::ir::{FunctionId, Local, Operand, Place, Program, Rule, Terminator};

use crate::body::{constant, moved, place, through};
use crate::builder::Builder;
use crate::writer::Writer;

/// Numbers that only look random (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// A function that others may call, and the locks that it takes.
#[derive(Clone)]
pub(crate) struct Callable {
    pub(crate) id: FunctionId,
    pub(crate) parameters: usize,
    pub(crate) locks: BTreeSet<usize>,
}

/// Makes the functions of one program.
pub(crate) struct Generator {
    pub(crate) numbers: Numbers,
    pub(crate) loops: bool,
    pub(crate) callable: Vec<Callable>,
    /// Per lock: a function that returns its guard, one that takes its content.
    pub(crate) guards: Vec<FunctionId>,
    pub(crate) bumps: Vec<FunctionId>,
}

/// A random program; with `loops` it may have some.
pub(crate) fn program(seed: u64, loops: bool) -> Program {
    let mut numbers = Numbers::new(seed);
    let contents: &[&str] = [
        &["Content"][..],
        &["Content", "Other"],
        &["Content", "Content"],
    ][numbers.below(3)];
    let mut builder = Builder::new(contents, 1 + numbers.below(3));
    let mut generator = Generator {
        numbers,
        loops,
        callable: Vec::new(),
        guards: Vec::new(),
        bumps: Vec::new(),
    };
    generator.small_functions(&mut builder);
    for number in 0..generator.numbers.below(3) {
        let budget = 1 + generator.numbers.below(3);
        let made = generator.composite(&mut builder, &format!("helper_{number}"), 2, budget, false);
        generator.callable.push(made);
    }
    for number in 0..2 {
        let budget = 2 + generator.numbers.below(6);
        generator.composite(&mut builder, &format!("public_{number}"), 3, budget, true);
    }
    builder.program
}

impl Generator {
    /// `get`, `set`, a function that returns a guard, one that takes what is
    /// guarded.
    fn small_functions(&mut self, builder: &mut Builder) {
        for lock in 0..builder.shape.locks.len() {
            let guard_type = builder.guard_type(lock);
            let content_type = format!("&mut {}", builder.content(lock));
            for field in builder.shape.locks[lock].1.clone() {
                let name = format!("{lock}_{}", builder.program.fields[field.index()].name);
                let mut get = builder.function(&format!("get_{name}"), "i32", &["&Shared"]);
                let guard = get.lock(lock);
                let content = get.deref(guard, lock);
                get.assign(
                    Place::local(Local(0)),
                    Rule::Copy,
                    vec![Operand::Place(through(content, field), false)],
                );
                get.drop(guard);
                get.end(Terminator::Return);
                let id = get.done(self.numbers.one_in(3));
                self.callable.push(Callable {
                    id,
                    parameters: 1,
                    locks: BTreeSet::from([lock]),
                });
                let mut set = builder.function(&format!("set_{name}"), "()", &["&Shared", "i32"]);
                let guard = set.lock(lock);
                let content = set.deref(guard, lock);
                set.assign(through(content, field), Rule::Copy, vec![place(Local(2))]);
                set.drop(guard);
                set.end(Terminator::Return);
                let id = set.done(!self.numbers.one_in(3));
                self.callable.push(Callable {
                    id,
                    parameters: 2,
                    locks: BTreeSet::from([lock]),
                });
            }
            let mut give = builder.function(&format!("guard_{lock}"), &guard_type, &["&Shared"]);
            let guard = give.lock(lock);
            give.assign(Place::local(Local(0)), Rule::Copy, vec![moved(guard)]);
            give.end(Terminator::Return);
            self.guards.push(give.done(false));
            let fields = builder.shape.locks[lock].1.clone();
            let (read, write) = (
                fields[self.numbers.below(fields.len())],
                fields[self.numbers.below(fields.len())],
            );
            let mut bump =
                builder.function(&format!("bump_{lock}"), "i32", &[&content_type, "i32"]);
            bump.assign(
                Place::local(Local(0)),
                Rule::Copy,
                vec![Operand::Place(through(Local(1), read), false)],
            );
            if !self.numbers.one_in(3) {
                bump.assign(
                    through(Local(1), write),
                    Rule::Compute,
                    vec![place(Local(2)), constant(1)],
                );
            }
            bump.end(Terminator::Return);
            self.bumps.push(bump.done(false));
        }
    }

    fn composite(
        &mut self,
        builder: &mut Builder,
        name: &str,
        parameters: usize,
        budget: usize,
        public: bool,
    ) -> Callable {
        let types = ["&Shared", "i32", "i32"];
        let body = builder.function(name, "i32", &types[..parameters]);
        let mut writer = Writer {
            ints: (2..=parameters as u32).map(Local).collect(),
            open: Vec::new(),
            taken: BTreeSet::new(),
            body,
            generator: self,
        };
        writer.statements(budget, 0);
        let result = writer.operand();
        writer.finish(result);
        let locks = writer.taken;
        let id = writer.body.done(public);
        Callable {
            id,
            parameters,
            locks,
        }
    }
}
