//! Functions in the shape that the front end of Rust makes.

use commute_lint::ir::{
    Block, BlockId, Callee, Effect, FieldId, Function, FunctionId, Local, Mode, Operand, Operation,
    Place, Process, Rule, Statement, Step, Terminator, Variable,
};

use crate::builder::Builder;

/// A function while it is made; statements go to the block `at`.
pub(crate) struct Body<'b> {
    pub(crate) builder: &'b mut Builder,
    pub(crate) function: Function,
    pub(crate) at: usize,
}

pub(crate) fn place(local: Local) -> Operand {
    Operand::Place(Place::local(local), false)
}

pub(crate) fn moved(local: Local) -> Operand {
    Operand::Place(Place::local(local), true)
}

pub(crate) fn constant(value: i64) -> Operand {
    Operand::Constant(format!("const {value}_i32"))
}

pub(crate) fn through(pointer: Local, field: FieldId) -> Place {
    Place {
        local: pointer,
        steps: vec![Step::Deref, Step::Field(field)],
    }
}

impl Body<'_> {
    pub(crate) fn local(&mut self, ty: &str) -> Local {
        let ty = self.builder.ty(ty);
        self.function.locals.push(Variable { name: None, ty });
        Local(self.function.locals.len() as u32 - 1)
    }

    /// Makes a block; it is not gone to yet.
    pub(crate) fn block(&mut self) -> BlockId {
        let site = self.builder.site();
        self.function.blocks.push(Block {
            statements: Vec::new(),
            terminator: Terminator::Stop,
            site,
        });
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    pub(crate) fn blocks(&self) -> usize {
        self.function.blocks.len()
    }

    pub(crate) fn go_on_in(&mut self, block: BlockId) {
        self.at = block.index();
    }

    pub(crate) fn end(&mut self, terminator: Terminator) {
        self.function.blocks[self.at].terminator = terminator;
    }

    fn push(&mut self, statement: Statement) {
        let site = self.builder.site();
        self.function.blocks[self.at]
            .statements
            .push((statement, site));
    }

    pub(crate) fn assign(&mut self, to: Place, rule: Rule, from: Vec<Operand>) {
        self.push(Statement::Assign {
            to,
            rule,
            from,
            fields: Vec::new(),
        });
    }

    pub(crate) fn library(
        &mut self,
        to: Local,
        name: &str,
        effect: Effect,
        arguments: Vec<Operand>,
    ) {
        let callee = Callee::Library {
            name: name.to_owned(),
            effect,
        };
        self.push(Statement::Call {
            to: Place::local(to),
            callee,
            arguments,
        });
    }

    pub(crate) fn call(&mut self, to: Local, function: FunctionId, arguments: Vec<Operand>) {
        let callee = Callee::Functions(vec![function]);
        self.push(Statement::Call {
            to: Place::local(to),
            callee,
            arguments,
        });
    }

    pub(crate) fn drop(&mut self, local: Local) {
        self.push(Statement::Drop(Place::local(local)));
    }

    /// `self.m.lock().unwrap()`.
    pub(crate) fn lock(&mut self, lock: usize) -> Local {
        let guard_type = self.builder.guard_type(lock);
        let field = self.builder.shape.locks[lock].0;
        let pointer = self.local(&format!(
            "&std::sync::Mutex<{}>",
            self.builder.content(lock).to_owned()
        ));
        let result = self.local(&format!(
            "std::result::Result<{guard_type}, std::sync::PoisonError<{guard_type}>>"
        ));
        let guard = self.local(&guard_type);
        let mutex = Operand::Place(through(Local(1), field), false);
        self.assign(Place::local(pointer), Rule::Borrow, vec![mutex]);
        self.library(
            result,
            "Mutex::lock",
            Effect::Acquire(Mode::Exclusive),
            vec![moved(pointer)],
        );
        self.library(guard, "Result::unwrap", Effect::Same, vec![moved(result)]);
        guard
    }

    /// `&mut *guard`.
    pub(crate) fn deref(&mut self, guard: Local, lock: usize) -> Local {
        let guard_type = self.builder.guard_type(lock);
        let borrowed = self.local(&format!("&mut {guard_type}"));
        let content = self.local(&format!("&mut {}", self.builder.content(lock).to_owned()));
        self.assign(Place::local(borrowed), Rule::Borrow, vec![place(guard)]);
        self.library(
            content,
            "MutexGuard::deref_mut",
            Effect::Same,
            vec![moved(borrowed)],
        );
        content
    }

    /// An operation of the atomic; its result is new.
    pub(crate) fn atomic(&mut self, method: &'static str, mut arguments: Vec<Operand>) -> Local {
        let pointer = self.local("&std::sync::atomic::AtomicI32");
        let result = self.local(if method == "store" { "()" } else { "i32" });
        let field = self.builder.shape.atomic;
        let object = Operand::Place(through(Local(1), field), false);
        self.assign(Place::local(pointer), Rule::Borrow, vec![object]);
        arguments.insert(0, moved(pointer));
        let operation = Operation {
            spec: Some("atomic"),
            method,
            reads: method != "store",
            writes: method != "load",
            atomic: true,
            key: None,
            checks: method == "compare_exchange",
            lends: false,
        };
        self.library(
            result,
            &format!("AtomicI32::{method}"),
            Effect::Operation(operation),
            arguments,
        );
        result
    }

    /// The function is complete.
    pub(crate) fn done(mut self, public: bool) -> FunctionId {
        self.function.public = public;
        let program = &mut self.builder.program;
        let id = FunctionId(program.functions.len() as u32);
        if public {
            program.processes.push(Process {
                name: self.function.name.clone(),
                function: id,
                several: true,
            });
        }
        program.functions.push(self.function);
        id
    }
}
