//! Programs in the shape that the front end of Rust makes.

use std::collections::BTreeSet;

use commute_lint::ir::{
    Block, BlockId, Callee, Effect, Field, FieldId, FileId, Function, FunctionId, Local, Mode,
    Operand, Operation, Place, Process, Program, Rule, Site, Statement, Step, Terminator, Type,
    TypeId, TypeKind, Variable,
};

/// `Shared { m0: Mutex<_>, m1: Mutex<_>, n: AtomicI32 }`, its locks and what
/// they guard.
pub(crate) struct Shape {
    /// Per lock its field and the fields of its content.
    pub(crate) locks: Vec<(FieldId, Vec<FieldId>)>,
    pub(crate) atomic: FieldId,
    contents: Vec<String>,
}

/// A program while it is made. Every statement has a line of its own.
pub(crate) struct Builder {
    pub(crate) program: Program,
    pub(crate) shape: Shape,
    line: u32,
}

impl Builder {
    /// `contents` names for each lock the structure that it guards.
    pub(crate) fn new(contents: &[&str], fields: usize) -> Builder {
        let mut program = Program {
            guarded: true,
            files: vec!["random.rs".to_owned()],
            guardable: contents
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<BTreeSet<_>>(),
            ..Program::default()
        };
        program.guardable.insert("i32".to_owned());
        let mut field = |class: &str, name: String| {
            let field = Field {
                class: class.to_owned(),
                name,
            };
            if let Some(at) = program.fields.iter().position(|known| *known == field) {
                return FieldId(at as u32);
            }
            program.fields.push(field);
            FieldId(program.fields.len() as u32 - 1)
        };
        let mut locks = Vec::new();
        for (number, content) in contents.iter().enumerate() {
            let lock = field("Shared", format!("m{number}"));
            let inside = (0..fields)
                .map(|at| field(content, format!("f{at}")))
                .collect();
            locks.push((lock, inside));
        }
        let atomic = field("Shared", "n".to_owned());
        Builder {
            program,
            shape: Shape {
                locks,
                atomic,
                contents: contents.iter().map(|name| (*name).to_owned()).collect(),
            },
            line: 0,
        }
    }

    fn ty(&mut self, name: &str) -> TypeId {
        let kind = match name {
            "i32" | "()" => TypeKind::Scalar,
            _ if name.starts_with("&mut ") => TypeKind::Mutable,
            _ if name.starts_with('&') => TypeKind::Shared,
            _ => TypeKind::Other,
        };
        let known = self.program.types.iter().position(|ty| ty.name == name);
        let at = known.unwrap_or_else(|| {
            self.program.types.push(Type {
                name: name.to_owned(),
                kind,
            });
            self.program.types.len() - 1
        });
        TypeId(at as u32)
    }

    fn site(&mut self) -> Site {
        self.line += 1;
        Site {
            file: FileId(0),
            line: self.line,
            column: 1,
        }
    }

    pub(crate) fn content(&self, lock: usize) -> &str {
        &self.shape.contents[lock]
    }

    pub(crate) fn guard_type(&self, lock: usize) -> String {
        format!("std::sync::MutexGuard<'_, {}>", self.content(lock))
    }

    /// Begins a function; the first parameter is `&Shared` unless another is given.
    pub(crate) fn function(&mut self, name: &str, result: &str, parameters: &[&str]) -> Body<'_> {
        let mut locals = vec![Variable {
            name: None,
            ty: self.ty(result),
        }];
        for ty in parameters {
            locals.push(Variable {
                name: None,
                ty: self.ty(ty),
            });
        }
        let site = self.site();
        let function = Function {
            name: name.to_owned(),
            site,
            parameters: parameters.len() as u32,
            locals,
            blocks: Vec::new(),
            atomic: false,
            public: false,
        };
        let mut body = Body {
            builder: self,
            function,
            at: 0,
        };
        body.block();
        body
    }
}

/// A function while it is made; statements go to the block `at`.
pub(crate) struct Body<'b> {
    pub(crate) builder: &'b mut Builder,
    function: Function,
    at: usize,
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
