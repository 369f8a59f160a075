//! Syntax trees of the core language (MoTH, Figure 2).

/// Where something begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A program (`P`): classes, and what runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The classes.
    pub classes: Vec<Class>,
    /// The processes. The paper finds them by another analysis.
    pub processes: Vec<Process>,
}

/// A class (`C`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<Declaration>,
    /// Its methods.
    pub methods: Vec<Method>,
    /// Where it is.
    pub at: Position,
}

/// A field or a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// The class of the objects it refers to, if it says so.
    pub class: Option<String>,
    /// Where it is.
    pub at: Position,
}

/// A method (`M`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Whether it is `atomic`.
    pub atomic: bool,
    /// Its parameters; `this` comes before them and is not listed.
    pub parameters: Vec<Declaration>,
    /// What it does.
    pub body: Vec<Statement>,
    /// Where it is.
    pub at: Position,
}

/// Something that runs concurrently with itself and with the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// What it does.
    pub body: Vec<Statement>,
    /// Where it is.
    pub at: Position,
}

/// A statement (`S`) and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: Kind,
    /// Where it is.
    pub at: Position,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `x := e`
    Assign(String, Expression),
    /// `x := y.f`, `x := y.f[i]`
    HeapRead(String, Access),
    /// `x.f := e`, `x.f[i] := e`
    HeapWrite(Access, Expression),
    /// `x := new C`
    Allocation(String, String),
    /// `x := m(a, b)`, `x := y.m(a, b)`, and both without `x :=`
    Call(Option<String>, Call),
    /// `if e { … } else { … }`
    Conditional(Expression, Vec<Statement>, Vec<Statement>),
    /// `while e { … }`
    Loop(Expression, Vec<Statement>),
    /// `return e`
    Return(Option<Expression>),
    /// `skip`
    Skip,
}

/// A field of the object that a variable refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The variable.
    pub object: String,
    /// The field.
    pub field: String,
    /// Which element of it, if it is an array.
    pub index: Option<Expression>,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The object, if it is named.
    pub object: Option<String>,
    /// The method.
    pub method: String,
    /// The arguments.
    pub arguments: Vec<Expression>,
}

/// An expression (`e`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// A variable.
    Variable(String),
    /// `null`, `true`, a number.
    Constant(String),
    /// `a + b`, `a < b`, …
    Binary(Box<Expression>, &'static str, Box<Expression>),
    /// `!a`
    Not(Box<Expression>),
}

impl Expression {
    /// The variables in it, from left to right.
    pub fn variables(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a str>) {
        match self {
            Expression::Variable(name) => found.push(name),
            Expression::Constant(_) => {}
            Expression::Binary(left, _, right) => {
                left.collect(found);
                right.collect(found);
            }
            Expression::Not(inner) => inner.collect(found),
        }
    }
}
