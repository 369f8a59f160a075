//! `typeof` (MoTH, §3): which class the object has that a variable refers to.
//!
//! The paper assumes the function. Here it is inferred: from `new C`, `this`,
//! parameters and fields that say their class, copies, and what methods
//! return. A field or a method that only one class has needs no class at all.

use std::collections::BTreeMap;

use super::Error;
use super::syntax::{
    Call, Class, Declaration, Expression, Kind, Method, Position, Program, Statement,
};

/// A body: a method of a class, or a process.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub(super) class: Option<&'a Class>,
    pub(super) method: Option<&'a Method>,
    pub(super) statements: &'a [Statement],
    pub(super) name: &'a str,
    pub(super) at: Position,
}

impl<'a> Body<'a> {
    pub(super) fn parameters(&self) -> &'a [Declaration] {
        self.method.map_or(&[], |method| &method.parameters)
    }
}

/// The bodies of a program: methods in the order of the text, then processes.
pub(super) fn bodies(program: &Program) -> Vec<Body<'_>> {
    let methods = program.classes.iter().flat_map(|class| {
        class.methods.iter().map(move |method| Body {
            class: Some(class),
            method: Some(method),
            statements: &method.body,
            name: &method.name,
            at: method.at,
        })
    });
    let processes = program.processes.iter().map(|process| Body {
        class: None,
        method: None,
        statements: &process.body,
        name: &process.name,
        at: process.at,
    });
    methods.chain(processes).collect()
}

/// What is known of a program's names.
pub(super) struct Types<'a> {
    program: &'a Program,
    /// The bodies of the methods with a name, by class.
    methods: BTreeMap<&'a str, BTreeMap<&'a str, usize>>,
    /// The fields with a name, by class.
    fields: BTreeMap<&'a str, BTreeMap<&'a str, (&'a Class, &'a Declaration)>>,
    classes: BTreeMap<&'a str, &'a Class>,
    /// The classes of the variables of each body.
    variables: Vec<BTreeMap<&'a str, &'a str>>,
    /// The class of what each body returns.
    results: Vec<Option<&'a str>>,
}

/// Refers to the object whose method runs.
pub(super) const THIS: &str = "this";

impl<'a> Types<'a> {
    pub(super) fn of(program: &'a Program, bodies: &[Body<'a>]) -> Result<Types<'a>, Error> {
        let mut types = Types {
            program,
            methods: BTreeMap::new(),
            fields: BTreeMap::new(),
            classes: BTreeMap::new(),
            variables: vec![BTreeMap::new(); bodies.len()],
            results: vec![None; bodies.len()],
        };
        types.declare(bodies)?;
        // What is known only grows, and each round needs a new fact.
        loop {
            let before = types.facts();
            for (index, body) in bodies.iter().enumerate() {
                types.infer(index, body.statements);
            }
            if types.facts() == before {
                return Ok(types);
            }
        }
    }

    fn facts(&self) -> usize {
        let variables: usize = self.variables.iter().map(BTreeMap::len).sum();
        variables + self.results.iter().flatten().count()
    }

    fn declare(&mut self, bodies: &[Body<'a>]) -> Result<(), Error> {
        for class in &self.program.classes {
            if self.classes.insert(&class.name, class).is_some() {
                return Err(error(class.at, format!("class `{}` twice", class.name)));
            }
            for field in &class.fields {
                let having = self.fields.entry(&field.name).or_default();
                if having.insert(&class.name, (class, field)).is_some() {
                    return Err(error(field.at, format!("field `{}` twice", field.name)));
                }
            }
        }
        for (index, body) in bodies.iter().enumerate() {
            if let (Some(class), Some(method)) = (body.class, body.method) {
                let having = self.methods.entry(&method.name).or_default();
                if having.insert(&class.name, index).is_some() {
                    return Err(error(method.at, format!("method `{}` twice", method.name)));
                }
                self.variables[index].insert(THIS, &class.name);
            }
            for parameter in body.parameters() {
                if let Some(class) = &parameter.class {
                    self.class(class, parameter.at)?;
                    self.variables[index].insert(&parameter.name, class);
                }
            }
        }
        Ok(())
    }

    fn infer(&mut self, index: usize, statements: &'a [Statement]) {
        for statement in statements {
            let (to, class): (&'a str, Option<&'a str>) = match &statement.kind {
                Kind::Assign(x, Expression::Variable(y)) => (x, self.variable(index, y)),
                Kind::Allocation(x, class) => (x, Some(class.as_str())),
                Kind::HeapRead(x, access) => {
                    let found = self.field(index, &access.object, &access.field, statement.at);
                    let declared = found.ok().and_then(|(_, field)| field.class.as_deref());
                    (x, declared)
                }
                Kind::Call(Some(x), call) => {
                    let callee = self.callee(index, call, statement.at).ok();
                    (x, callee.and_then(|callee| self.results[callee]))
                }
                Kind::Conditional(_, then, otherwise) => {
                    self.infer(index, then);
                    self.infer(index, otherwise);
                    continue;
                }
                Kind::Loop(_, body) => {
                    self.infer(index, body);
                    continue;
                }
                Kind::Return(Some(Expression::Variable(x))) => {
                    let class = self.variable(index, x);
                    self.results[index] = self.results[index].or(class);
                    continue;
                }
                _ => continue,
            };
            if let Some(class) = class {
                self.variables[index].entry(to).or_insert(class);
            }
        }
    }

    /// The class of a variable, if it refers to an object.
    pub(super) fn variable(&self, index: usize, name: &str) -> Option<&'a str> {
        self.variables[index].get(name).copied()
    }

    /// The class with this name.
    pub(super) fn class(&self, name: &str, at: Position) -> Result<&'a Class, Error> {
        let found = self.classes.get(name).copied();
        found.ok_or_else(|| error(at, format!("there is no class `{name}`")))
    }

    /// The field that `object.name` is, and its class.
    pub(super) fn field(
        &self,
        index: usize,
        object: &str,
        name: &str,
        at: Position,
    ) -> Result<(&'a Class, &'a Declaration), Error> {
        let known = self.variable(index, object);
        self.only(self.fields.get(name), known, object, name, at)
    }

    /// The body that a call runs.
    pub(super) fn callee(&self, index: usize, call: &Call, at: Position) -> Result<usize, Error> {
        let named = call.object.as_deref();
        let own = || {
            let class = self.variable(index, THIS)?;
            let having = self.methods.get(call.method.as_str())?;
            having.contains_key(class).then_some(class)
        };
        let known = match named {
            Some(object) => self.variable(index, object),
            None => own(),
        };
        let object = named.unwrap_or(THIS);
        let having = self.methods.get(call.method.as_str());
        self.only(having, known, object, &call.method, at)
    }

    /// What the class has, or the only class that has it.
    fn only<T: Copy>(
        &self,
        having: Option<&BTreeMap<&'a str, T>>,
        known: Option<&str>,
        object: &str,
        name: &str,
        at: Position,
    ) -> Result<T, Error> {
        let found = match known {
            Some(class) => having.and_then(|having| having.get(class)),
            None => having.and_then(|having| having.values().next()),
        };
        let several = known.is_none() && having.is_some_and(|having| having.len() > 1);
        let message = match (found, known) {
            (Some(found), _) if !several => return Ok(*found),
            (Some(_), _) => {
                format!("several classes have `{name}`, and the class of `{object}` is not known")
            }
            (None, Some(class)) => format!("class `{class}` has no `{name}`"),
            (None, None) => format!("no class has `{name}`"),
        };
        Err(error(at, message))
    }
}

pub(super) fn error(at: Position, message: String) -> Error {
    Error {
        line: at.line,
        column: at.column,
        message,
    }
}
