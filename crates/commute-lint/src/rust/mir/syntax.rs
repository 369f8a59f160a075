//! What is in a MIR file. Types, paths and constants stay text: the front end
//! looks at very few of them.

use std::collections::BTreeSet;

/// A MIR file: one crate.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Mir {
    /// Functions, closures, constants, statics and promoted constants.
    pub bodies: Vec<Body>,
    /// Which allocation is which static: `alloc4` is `S`.
    pub statics: Vec<(String, String)>,
    /// Lines that were not understood.
    pub unknown: Vec<Unknown>,
}

impl Mir {
    /// Where it ceased to make sense, if there is no function that does.
    pub fn nonsense(&self) -> Option<&Unknown> {
        let first = self.unknown.first()?;
        let broken: BTreeSet<&str> = { self.unknown.iter() }
            .filter_map(|unknown| unknown.body.as_deref())
            .collect();
        let mut functions = { self.bodies.iter() }.filter(|body| body.kind == BodyKind::Function);
        let sound = functions.any(|body| !broken.contains(body.name.as_str()));
        (!sound).then_some(first)
    }
}

/// A line that was not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What was expected there.
    pub expected: &'static str,
    /// The line's text, shortened.
    pub text: String,
    /// The body it is in, if it is in one.
    pub body: Option<String>,
}

/// What a body belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyKind {
    /// A function, method, closure or coroutine.
    Function,
    /// A constant, also an anonymous or promoted one.
    Constant,
    /// A static.
    Static,
}

/// One body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// What it belongs to.
    pub kind: BodyKind,
    /// Its path, for example `<impl at src/main.rs:5:1: 5:12>::get` or
    /// `main::{closure#0}`.
    pub name: String,
    /// Its parameters, `_1` first, with their types.
    pub parameters: Vec<Type>,
    /// The type of its result.
    pub result: Type,
    /// `let` lines of all scopes, `_0` among them.
    pub locals: Vec<LocalDecl>,
    /// `debug` lines of all scopes.
    pub names: Vec<(String, Place)>,
    /// Its blocks, `bb0` first.
    pub blocks: Vec<Block>,
    /// The line of the file it begins in.
    pub line: u32,
}

/// A type as text, lifetimes and all.
pub type Type = String;

/// A local variable: `_3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Local(pub u32);

/// A block: `bb3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(pub u32);

/// Where something is in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The file.
    pub file: std::sync::Arc<str>,
    /// The first line, from 1.
    pub line: u32,
    /// The first column, from 1.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column behind the last.
    pub end_column: u32,
}

/// A declaration of a local.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalDecl {
    /// Which.
    pub local: Local,
    /// Its type.
    pub ty: Type,
    /// Where, if spans are printed.
    pub span: Option<Span>,
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Whether it is run only while a panic unwinds.
    pub cleanup: bool,
    /// Its statements.
    pub statements: Vec<(Statement, Option<Span>)>,
    /// What comes next.
    pub terminator: Terminator,
    /// Where that is.
    pub span: Option<Span>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `place = value;`
    Assign(Place, Value),
    /// `discriminant(place) = 1;`
    SetDiscriminant(Place, u32),
    /// `StorageLive`, `StorageDead`, `nop`, `FakeRead`, `Coverage` and other
    /// statements that neither read nor write.
    Inert,
    /// `assume(…)`, `copy_nonoverlapping(…)`: its operands.
    Intrinsic(String, Vec<Operand>),
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// The operand itself.
    Use(Operand),
    /// `[x; N]`.
    Repeat(Operand),
    /// `&place`, `&mut place`, `&raw const place`: whether it is mutable.
    Ref(bool, Place),
    /// `x as T (kind)`.
    Cast(Operand, Type),
    /// `Add(a, b)`, `Lt(a, b)`, `Not(a)`, `Len(place)`, `SizeOf(T)`: the name
    /// and the operands.
    Compute(String, Vec<Operand>),
    /// `discriminant(place)`.
    Discriminant(Place),
    /// `Name { f: a }`, `Name(a, b)`, `(a, b)`, `[a, b]`, closures and
    /// coroutines; a tuple or array has an empty name.
    Aggregate(String, Vec<(Option<String>, Operand)>),
}

/// An operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// `copy place`.
    Copy(Place),
    /// `move place`.
    Move(Place),
    /// `const …`: what follows the word.
    Constant(String),
    /// A function, by its path: MIR prints it without the word `const`.
    Function(String),
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where it begins.
    pub local: Local,
    /// How it goes on, in the order of evaluation.
    pub steps: Vec<Step>,
}

/// A step of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `*p`.
    Deref,
    /// `p.1: T`.
    Field(u32, Type),
    /// `p as Some`.
    Downcast(String),
    /// `p[_3]`.
    Index(Local),
    /// `p[0 of 2]`, `p[1:]`.
    Constant,
}

/// What comes after a block. Edges that only a panic takes are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// `goto -> bb1`, also `falseEdge`, `falseUnwind`.
    Goto(BlockId),
    /// `switchInt(x) -> [0: bb1, otherwise: bb2]`; no number is `otherwise`.
    Switch(Operand, Vec<(Option<String>, BlockId)>),
    /// `return`, `coroutine_drop`.
    Return,
    /// `unreachable`, `resume`, `terminate(…)`.
    Stop,
    /// `drop(place) -> [return: bb1, …]`.
    Drop(Place, BlockId),
    /// `place = f(a, b) -> [return: bb1, …]`; no block if it never returns.
    Call {
        /// Where the result goes.
        to: Place,
        /// The path of the function, or the operand that holds it.
        function: Function,
        /// The arguments.
        arguments: Vec<Operand>,
        /// Where it goes on.
        target: Option<BlockId>,
    },
    /// `assert(x, …) -> [success: bb1, …]`.
    Assert(Operand, BlockId),
    /// `yield(x) -> [resume: bb1, drop: bb2]`: where it goes on.
    Yield(Operand, BlockId),
    /// `asm!(…)`, with the blocks that may follow.
    Asm(Vec<BlockId>),
}

/// What a call calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Function {
    /// A path, for example `std::sync::Mutex::<Inner>::lock`.
    Path(String),
    /// A function pointer in a place.
    Pointer(Operand),
}
