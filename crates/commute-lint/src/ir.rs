//! The intermediate representation: what every front end produces and every
//! analysis reads.
//!
//! It is the core language of MoTH (Figure 2) with the control flow of a
//! compiler: functions are graphs of blocks, and places (`x`, `x.f`, `*x`,
//! `x.f[]`) take the part of variables and fields, because guards, references
//! and collections are reached through them. What a library function does is
//! said by an [`Effect`]; a front end knows its libraries, an analysis does not.
//!
//! | core language | here |
//! |---|---|
//! | `x := y`, `x := e` | [`Statement::Assign`] |
//! | `x := y.f`, `x.f := e` | [`Statement::Assign`] with a place that goes through a pointer |
//! | `x := new C` | [`Statement::Assign`] with [`Rule::New`] |
//! | `x := m(y…)` | [`Statement::Call`] |
//! | `if`, `while` | [`Terminator::Branch`] |
//! | `return x` | `x` is assigned to local 0, then [`Terminator::Return`] |
//! | `atomic` methods | [`Function::atomic`]; regions inside of a body begin with [`Effect::Acquire`] and end with [`Statement::Drop`] |

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the list that it names a member of.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// A function of [`Program::functions`].
    FunctionId
);
index!(
    /// A variable of a function. Local 0 is its result; the parameters follow.
    Local
);
index!(
    /// A block of a function. Block 0 is where it begins.
    BlockId
);
index!(
    /// A field of [`Program::fields`].
    FieldId
);
index!(
    /// A type of [`Program::types`].
    TypeId
);
index!(
    /// A file of [`Program::files`].
    FileId
);

/// A place in a source file. Line 0 means that it is not known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

impl Site {
    /// A site nothing is known of.
    pub const UNKNOWN: Site = Site {
        file: FileId(0),
        line: 0,
        column: 0,
    };
}

/// A program: what one run of the analysis looks at.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// All functions that have a body.
    pub functions: Vec<Function>,
    /// What may run concurrently.
    pub processes: Vec<Process>,
    /// All fields that places use.
    pub fields: Vec<Field>,
    /// All types of locals.
    pub types: Vec<Type>,
    /// The names of source files, as the front end was given them.
    pub files: Vec<String>,
    /// What runs when a value of this type is called or started: closures,
    /// functions as values, objects with a `run` method.
    pub bodies: BTreeMap<TypeId, FunctionId>,
    /// Fields that hold a shared pointer (`Arc`, `&`): who owns the structure
    /// alone does not own what they point to alone.
    pub shared: Vec<FieldId>,
    /// Fields that hold whatever their structure is around (`CachePadded`, a
    /// program's own `Arc`): who holds the structure says what it is.
    pub wrappers: BTreeSet<FieldId>,
    /// Types whose values locks guard, directly or inside of others, by their
    /// names without modules. Memory of other types is nobody else's.
    pub guardable: BTreeSet<String>,
    /// The types of guards of locks, as far as guards are values, as in Rust.
    pub lock_guards: LockGuards,
    /// Whether shared data is reached through guards only, as in Rust. If not,
    /// every field that is used in a region is shared.
    pub guarded: bool,
    /// Fields of which each access is atomic by itself (`volatile` of Java).
    pub volatile: BTreeSet<FieldId>,
    /// Functions of which two runs at once have two objects, their first
    /// parameter: what a thread runs, and no other.
    pub confined: BTreeSet<FunctionId>,
    /// Fields whose objects are made for them: two objects with such a field
    /// have two of them.
    pub parts: BTreeSet<FieldId>,
    /// Files that also have code no compiler checks (`unsafe`): there, who may
    /// use what and when is agreed upon in ways that no type shows.
    pub unchecked: BTreeSet<FileId>,
    /// What a front end did not understand. If there is any, no verdict is
    /// "clean".
    pub gaps: Vec<Gap>,
}

/// Types of [`Program::types`] that guards of locks have a part in. Other guards,
/// of cells and of the entries of collections, do not count.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct LockGuards {
    /// Guards, and types whose values own one: `Option<MutexGuard<'_, T>>`.
    pub owned: BTreeSet<TypeId>,
    /// Types whose names have a guard in them: `&MutexGuard<'_, T>`. Also those
    /// of early results of `?`, which become a failure without a guard.
    pub mentioned: BTreeSet<TypeId>,
}

/// Something a front end did not understand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Which file of the front end's input, and which line of it.
    pub place: String,
    /// What it was, in words.
    pub what: String,
}

/// A field: of a structure, a class, a closure or a tuple.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Field {
    /// The type that has it, without its generic arguments.
    pub class: String,
    /// Its name; an index, if there is no name.
    pub name: String,
}

/// A type, as far as analyses care.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// As the language writes it.
    pub name: String,
    /// What it is.
    pub kind: TypeKind,
}

/// What a type is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// Numbers, truth values, characters: nothing is reached through it.
    Scalar,
    /// A reference that cannot change what it points to (`&T`).
    Shared,
    /// A reference that can (`&mut T`; every reference of Java).
    Mutable,
    /// What keeps a lock taken, or holds such a thing: a call that is given a
    /// guard and returns one returns that.
    Guard,
    /// Anything else.
    Other,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in reports.
    pub name: String,
    /// Where it is.
    pub site: Site,
    /// How many of the locals after local 0 are parameters.
    pub parameters: u32,
    /// All locals: the result, the parameters, the others.
    pub locals: Vec<Variable>,
    /// The body.
    pub blocks: Vec<Block>,
    /// Whether the body is one atomic region (`atomic` of the core language,
    /// `@Atomic`, `#[commute::atomic]`).
    pub atomic: bool,
    /// Whether others may call it whenever they like.
    pub public: bool,
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, if it has one in the source.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
}

/// Something that runs: `main`, a thread, a public function of a shared type.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name in reports.
    pub name: String,
    /// The function it begins with.
    pub function: FunctionId,
    /// Whether several of them may run at the same time.
    pub several: bool,
}

/// Statements that follow each other, and what comes next.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub statements: Vec<(Statement, Site)>,
    /// What comes next.
    pub terminator: Terminator,
    /// Where the terminator is.
    pub site: Site,
}

/// A local, or what is reached from it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Where it begins.
    pub local: Local,
    /// How it goes on.
    pub steps: Vec<Step>,
}

impl Place {
    /// The local itself.
    pub fn local(local: Local) -> Place {
        Place {
            local,
            steps: Vec::new(),
        }
    }
}

/// One step from a place to a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// Through a pointer.
    Deref,
    /// To a field.
    Field(FieldId),
    /// To an element, whichever.
    Element(Option<Local>),
}

/// What a statement takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The value of a place. `true` if it is gone from there afterwards.
    Place(Place, bool),
    /// A constant, as the language writes it.
    Constant(String),
    /// A static variable, or rather its address.
    Static(String),
}

/// How a value comes from its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// It is the operand.
    Copy,
    /// It is the address of the operand's place.
    Borrow,
    /// It is computed from the operands: arithmetic, comparison, length.
    Compute,
    /// It says which variant the operand is.
    Discriminant,
    /// It is made of the operands, which become its fields, in order.
    /// Of an enum, a tuple or an array the class may be empty.
    Aggregate,
    /// It is a new object.
    New,
}

/// What is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// A place gets a value.
    Assign {
        /// The place.
        to: Place,
        /// How the value comes from the operands.
        rule: Rule,
        /// The operands.
        from: Vec<Operand>,
        /// The fields that the operands become, if the rule is
        /// [`Rule::Aggregate`] and they have names.
        fields: Vec<FieldId>,
    },
    /// A function is called.
    Call {
        /// Where its result goes.
        to: Place,
        /// What is called.
        callee: Callee,
        /// The arguments.
        arguments: Vec<Operand>,
    },
    /// What a place holds comes to its end; a guard gives up its lock.
    Drop(Place),
}

/// What a call calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// One of these, all of them with bodies.
    Functions(Vec<FunctionId>),
    /// A function of a library.
    Library {
        /// Its name in reports, for example `HashMap::insert`.
        name: String,
        /// What it does.
        effect: Effect,
    },
}

/// What a function of a library does. The object is the first argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nobody said. The result depends on all arguments, what mutable
    /// references point to is written, what others point to is read.
    Unknown,
    /// The result depends on the arguments; nothing is written.
    Pure,
    /// The result is the first argument, or points where it points: `unwrap`,
    /// `clone` of an `Arc`, `deref`, `as_ref`, `?`.
    Same,
    /// The result is new and holds the arguments: `Arc::new`, `Box::new`, `Some`.
    Wrap,
    /// Runs the future that the first argument points to; the result is its
    /// body's. If the value does not say which body that is, the type does. If
    /// it does not, either, it is as [`Effect::Same`].
    Poll(Option<FunctionId>),
    /// Takes the lock the first argument points to. The result is the guard,
    /// or holds it.
    Acquire(Mode),
    /// Takes the monitor of the first argument. The result is the guard, a
    /// local of the front end's own; it is the second argument as well.
    Enter,
    /// Gives up a guard: `drop(guard)`.
    Release,
    /// Gives up the guard that is an argument, waits, takes it again.
    Wait,
    /// An operation on the object the first argument points to.
    Operation(Operation),
    /// Starts a thread that runs the closure or object in the argument with
    /// this number.
    Spawn(usize),
    /// Waits for the end of the thread whose handle is the first argument.
    Join,
    /// Calls the closures among the arguments, perhaps often; the result
    /// depends on theirs.
    Apply,
    /// Calls the closure among the arguments. Threads that it started have
    /// ended when the call ends.
    Scope,
    /// The same, but the closures run at the same time, each in a thread of its
    /// own, or `often`: each in many. The call ends when all have ended.
    Parallel {
        /// Whether each may run in several threads at once.
        often: bool,
    },
    /// Writes a log or a metric; nothing else depends on it.
    Log,
}

/// How a lock is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// Alone.
    Exclusive,
    /// With other readers.
    Shared,
}

/// An operation on one object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Operation {
    /// The specification that says what commutes with it (`dictionary`), if
    /// there is one.
    pub spec: Option<&'static str>,
    /// Its method there, or the library's own name of it.
    pub method: &'static str,
    /// Whether it reads the object.
    pub reads: bool,
    /// Whether it changes the object.
    pub writes: bool,
    /// Whether it is atomic by itself: atomics and concurrent collections.
    pub atomic: bool,
    /// Which argument is a key or an index, counted from 1 after the object.
    pub key: Option<usize>,
    /// Whether it decides and acts at once: `compare_exchange`, `entry`,
    /// `insert` whose result says what was there.
    pub checks: bool,
    /// Whether the result is a guard or points into the object.
    pub lends: bool,
}

/// What comes after a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// That block.
    Goto(BlockId),
    /// One of these, depending on the operand.
    Branch {
        /// What decides.
        on: Operand,
        /// Where it may go.
        targets: Vec<BlockId>,
    },
    /// The caller.
    Return,
    /// Nothing: the program ends, panics or never gets here.
    Stop,
}

impl Terminator {
    /// The blocks that may come next.
    pub fn targets(&self) -> &[BlockId] {
        match self {
            Terminator::Goto(target) => std::slice::from_ref(target),
            Terminator::Branch { targets, .. } => targets,
            Terminator::Return | Terminator::Stop => &[],
        }
    }
}

impl Program {
    /// The function with this id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// `file:line:column`, as reports and traces write it; empty if it is not
    /// known.
    pub fn location(&self, site: Site) -> String {
        let Some(file) = self.files.get(site.file.index()).filter(|_| site.line > 0) else {
            return String::new();
        };
        match site.column {
            0 => format!("{file}:{}", site.line),
            column => format!("{file}:{}:{column}", site.line),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class, self.name)
    }
}
