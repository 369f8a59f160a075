//! Programs in the shape that the front end of Rust makes.

use std::collections::BTreeSet;

use commute_lint::ir::{
    Field, FieldId, FileId, Function, Program, Site, Type, TypeId, TypeKind, Variable,
};

use crate::body::Body;

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

    pub(crate) fn ty(&mut self, name: &str) -> TypeId {
        let kind = match name {
            "i32" | "()" => TypeKind::Scalar,
            _ if name.starts_with("&mut ") => TypeKind::Mutable,
            _ if name.starts_with('&') => TypeKind::Shared,
            _ if name.contains("Guard<") => TypeKind::Guard,
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

    pub(crate) fn site(&mut self) -> Site {
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
