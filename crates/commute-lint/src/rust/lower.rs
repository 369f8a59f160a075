//! Crates become a program.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::ir::{
    self, Callee, Field, FieldId, FileId, FunctionId, Gap, Process, Program, Site, Statement, Type,
    TypeId, TypeKind,
};
use crate::rust::atomic::Atomic;
use crate::rust::body;
use crate::rust::instances::{self, Change, Instances, with_types};
use crate::rust::library;
use crate::rust::mir::syntax::{Body, BodyKind, Mir};
use crate::rust::resolve::{Functions, closure_of};
use crate::rust::sources::{Finder, Sources};
use crate::rust::text::{arguments, inside, last, plain, referent};
use crate::rust::twins::tell_apart;

/// What is known of a crate besides its MIR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrateInfo {
    /// Its name.
    pub name: String,
    /// Where its package is: in front of relative names of files.
    pub root: String,
    /// Its edition.
    pub edition: String,
    /// Whether it is a library: then its public functions are called by anybody.
    pub library: bool,
}

/// What the lowering knows.
pub(crate) struct Lowering<'a> {
    program: Program,
    sources: Sources<'a>,
    pub(crate) functions: Functions,
    pub(crate) bodies: BTreeMap<TypeId, FunctionId>,
    fields: FxHashMap<(String, u32), FieldId>,
    types: FxHashMap<String, TypeId>,
    files: FxHashMap<String, FileId>,
    statics: BTreeMap<(String, String), String>,
    shared: BTreeSet<FieldId>,
    /// Names in the types of a structure's fields.
    inside: BTreeMap<String, BTreeSet<String>>,
    pub(crate) instances: Instances,
    pub(crate) atomic: Atomic,
}

/// Lowers crates. `finder` gives the text of a source file, if there is one.
pub fn program(mut crates: Vec<(CrateInfo, Mir)>, finder: Finder<'_>) -> Program {
    for (_, mir) in &mut crates {
        tell_apart(mir);
    }
    let mut lowering = Lowering {
        program: Program {
            guarded: true,
            ..Program::default()
        },
        sources: Sources::new(finder),
        functions: Functions::default(),
        bodies: BTreeMap::new(),
        fields: FxHashMap::default(),
        types: FxHashMap::default(),
        files: FxHashMap::default(),
        statics: BTreeMap::new(),
        shared: BTreeSet::new(),
        inside: BTreeMap::new(),
        instances: Instances::default(),
        atomic: Atomic::default(),
    };
    let mut next = 0;
    let mut found: Vec<(usize, usize, FunctionId)> = Vec::new();
    for (number, (info, mir)) in crates.iter().enumerate() {
        lowering.gaps(info, mir);
        lowering.atomic.find(&info.name, mir);
        for (alloc, name) in &mir.statics {
            let name = format!("{}::{name}", info.name);
            lowering
                .statics
                .insert((info.name.clone(), alloc.clone()), name);
        }
        for (at, body) in mir.bodies.iter().enumerate() {
            // Of an async closure that is called once there is a second body.
            if body.kind != BodyKind::Function || body.name.contains("::{synthetic#") {
                continue;
            }
            if let Some(span) = body.blocks.first().and_then(|block| block.span.as_ref()) {
                lowering.sources.read(&span.file);
            }
            let id = FunctionId(next);
            next += 1;
            let Lowering {
                functions, sources, ..
            } = &mut lowering;
            functions.add(id, &info.name, body, sources);
            lowering.instances.parameters.push(body.parameters.clone());
            found.push((number, at, id));
        }
    }
    // Types of closures are known before bodies use them.
    for (number, at, id) in &found {
        if let Some(closure) = closure_of(&crates[*number].1.bodies[*at]) {
            lowering.is_run_by(closure, *id);
        }
    }
    for (number, at, id) in &found {
        let (info, mir) = &crates[*number];
        let body = &mir.bodies[*at];
        let function = lowering.declaration(info, body, *id);
        let function = body::lower(&mut lowering, &info.name, body, function);
        lowering.program.functions.push(function);
    }
    let mut done = 0;
    while let Some((id, change)) = lowering.instances.order.get(done).cloned() {
        let (number, at, _) = found[id.index()];
        let (info, mir) = &crates[number];
        let instance = FunctionId((found.len() + done) as u32);
        let body = lowering.futures(instance, &mir.bodies[at], &change);
        let function = lowering.declaration(info, &body, id);
        let function = body::lower(&mut lowering, &info.name, &body, function);
        lowering.program.functions.push(function);
        done += 1;
    }
    lowering.finish(&crates)
}

impl Lowering<'_> {
    fn gaps(&mut self, info: &CrateInfo, mir: &Mir) {
        for unknown in &mir.unknown {
            self.program.gaps.push(Gap {
                place: format!(
                    "MIR of {}, line {}:{}",
                    info.name, unknown.line, unknown.column
                ),
                what: format!("expected {}: {}", unknown.expected, unknown.text),
            });
        }
    }

    fn declaration(&mut self, info: &CrateInfo, body: &Body, id: FunctionId) -> ir::Function {
        let result = body.locals.iter().find(|decl| decl.local.0 == 0);
        let span = result.and_then(|decl| decl.span.clone());
        let site = match &span {
            Some(span) => Site {
                file: self.file(&span.file),
                line: span.line,
                column: span.column,
            },
            None => Site::UNKNOWN,
        };
        let name = body.name.rsplit("::").next().unwrap_or(&body.name);
        let public = info.library
            && span.is_some_and(|span| {
                self.sources.is_public(&span.file, span.line, name) == Some(true)
            });
        ir::Function {
            name: self.functions.name(id),
            site,
            parameters: body.parameters.len() as u32,
            locals: Vec::new(),
            blocks: Vec::new(),
            atomic: self.atomic.contains(&info.name, &body.name),
            public,
        }
    }

    pub(crate) fn ty(&mut self, text: &str) -> TypeId {
        if let Some(id) = self.types.get(text) {
            return *id;
        }
        let id = TypeId(self.program.types.len() as u32);
        self.program.types.push(Type {
            name: text.to_owned(),
            kind: kind(text),
        });
        self.types.insert(text.to_owned(), id);
        let guards = &mut self.program.lock_guards;
        if library::is_lock_guard(text) {
            guards.owned.insert(id);
        }
        if library::mentions_lock_guard(text) {
            guards.mentioned.insert(id);
        }
        if referent(text).starts_with("{async fn body of ")
            && let Some(body) = self.functions.closure(referent(text))
        {
            self.bodies.insert(id, body);
        }
        id
    }

    pub(crate) fn file(&mut self, name: &str) -> FileId {
        if let Some(id) = self.files.get(name) {
            return *id;
        }
        let id = FileId(self.program.files.len() as u32);
        self.program.files.push(name.to_owned());
        if self.sources.is_unchecked(name) {
            self.program.unchecked.insert(id);
        }
        self.files.insert(name.to_owned(), id);
        id
    }

    pub(crate) fn field(&mut self, class: &str, number: u32, shared: bool) -> FieldId {
        let key = (class.to_owned(), number);
        let id = match self.fields.get(&key) {
            Some(id) => *id,
            None => {
                let id = FieldId(self.program.fields.len() as u32);
                let name = match self.sources.field(class, number) {
                    Some(name) => name.to_owned(),
                    None => number.to_string(),
                };
                let class = match class.starts_with(['{', '(']) {
                    true => class.to_owned(),
                    false => last(class).to_owned(),
                };
                if wraps(&class) {
                    self.program.wrappers.insert(id);
                }
                self.program.fields.push(Field { class, name });
                self.fields.insert(key, id);
                id
            }
        };
        if shared {
            self.shared.insert(id);
        }
        id
    }

    /// What a field holds has the name of who holds the structure.
    pub(crate) fn wraps(&mut self, field: FieldId) {
        self.program.wrappers.insert(field);
    }

    /// The types of a function's parameters.
    pub(crate) fn parameters(&self, id: FunctionId) -> Option<&[String]> {
        self.instances.parameters.get(id.index()).map(Vec::as_slice)
    }

    /// The instance of a function makes futures of its own: what they do is
    /// what was given to the function.
    fn futures(&mut self, instance: FunctionId, body: &Body, change: &Change) -> Body {
        let mut all = change.clone();
        for future in instances::futures(body) {
            let Some(made) = self.functions.closure(&future) else {
                continue;
            };
            let changed = instances::with_type(&future, change);
            let open = changed.strip_suffix('}').unwrap_or(&changed);
            let name = format!("{open} @{}}}", instance.0);
            let mut inner = change.clone();
            inner.push((changed, name.clone()));
            all.extend(inner.last().cloned());
            let made = self.instances.changed(made, inner);
            self.is_run_by(&name, made);
        }
        with_types(body, &all)
    }

    /// What runs if a value of this type is called or awaited.
    fn is_run_by(&mut self, closure: &str, body: FunctionId) {
        for front in ["", "&", "&mut "] {
            let ty = self.ty(&format!("{front}{closure}"));
            self.bodies.insert(ty, body);
        }
    }

    /// A structure has a field of this type.
    pub(crate) fn has(&mut self, class: &str, ty: &str) {
        let class = last(class).to_owned();
        self.inside.entry(class).or_default().extend(names(ty));
    }

    pub(crate) fn static_of(&self, krate: &str, alloc: &str) -> Option<String> {
        let key = (krate.to_owned(), alloc.to_owned());
        self.statics.get(&key).cloned()
    }

    fn finish(mut self, crates: &[(CrateInfo, Mir)]) -> Program {
        self.program.guardable = guardable(&self.program, &self.inside);
        self.program.bodies = self.bodies;
        self.program.shared = self.shared.into_iter().collect();
        let library = crates.iter().any(|(info, _)| info.library);
        let called = self.instances.order.iter().map(|(id, _)| *id).collect();
        let instances = self.instances.parameters.len();
        self.program.processes = processes(&self.program, library, called, instances);
        self.atomic.finish(&mut self.program);
        self.program
    }
}

/// `main`, and what others may call at any time: public functions, and
/// functions that nobody here calls (somebody must). `called` are known to be.
/// From `instances` on, functions are called only here: nobody else has the
/// closures that they were made for.
fn processes(
    program: &Program,
    library: bool,
    mut called: BTreeSet<FunctionId>,
    instances: usize,
) -> Vec<Process> {
    called.extend(program.bodies.values());
    for function in &program.functions {
        for (statement, _) in function.blocks.iter().flat_map(|block| &block.statements) {
            if let Statement::Call {
                callee: Callee::Functions(ids),
                ..
            } = statement
            {
                called.extend(ids);
            }
        }
    }
    let mut processes = Vec::new();
    for (number, function) in program.functions.iter().enumerate() {
        let id = FunctionId(number as u32);
        let main = function.name == "main";
        let public = function.public && library && number < instances;
        let api = public || !called.contains(&id);
        if main || api {
            processes.push(Process {
                name: function.name.clone(),
                function: id,
                several: !main,
            });
        }
    }
    processes
}

/// Whether a class, by its name, is a lock, a cell or a pointer around another.
fn wraps(class: &str) -> bool {
    ["Mutex", "RwLock", "Lock", "Cell", "CachePadded", "Padded"]
        .iter()
        .any(|end| class.ends_with(end))
        || class.contains("Atomic")
        || matches!(class, "Arc" | "Rc")
}

fn kind(ty: &str) -> TypeKind {
    let ty = ty.trim();
    if let Some(rest) = ty.strip_prefix('&') {
        let rest = match rest.strip_prefix('\'') {
            Some(rest) => rest.split_once(' ').map_or(rest, |(_, rest)| rest),
            None => rest,
        };
        return match rest.starts_with("mut ") {
            true => TypeKind::Mutable,
            false => TypeKind::Shared,
        };
    }
    if ty.starts_with("*mut ") {
        return TypeKind::Mutable;
    }
    if ty.starts_with("*const ") {
        return TypeKind::Shared;
    }
    let scalars = [
        "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
        "i128", "isize", "f32", "f64", "()", "!",
    ];
    let plain = plain(ty);
    let is_scalar = scalars.contains(&ty)
        || matches!(
            last(&plain),
            "Duration" | "Instant" | "SystemTime" | "Ordering"
        )
        || (last(&plain) == "Option"
            && ty
                .find('<')
                .is_some_and(|at| scalars.contains(&inside(ty, at))));
    match is_scalar {
        true => TypeKind::Scalar,
        false if library::is_guard(ty) => TypeKind::Guard,
        false => TypeKind::Other,
    }
}

/// The names in a type, without modules.
fn names(ty: &str) -> impl Iterator<Item = String> {
    ty.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
}

/// What is inside of locks, or of structures that have locks: `Shared<State>` may
/// have a `Mutex<T>`.
fn guardable(program: &Program, inside: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let with_locks = with_locks(inside);
    let mut todo: Vec<String> = Vec::new();
    for ty in &program.types {
        for (at, _) in ty.name.match_indices('<') {
            let before = ty.name[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_');
            let class = before.into_iter().next().unwrap_or_default();
            let arguments = arguments(&ty.name[at..]);
            if is_lock(class) {
                todo.extend(arguments.last().into_iter().flat_map(|ty| names(ty)));
            } else if with_locks.contains(class) {
                todo.extend(arguments.iter().flat_map(|ty| names(ty)));
            }
        }
    }
    let mut all = BTreeSet::new();
    while let Some(name) = todo.pop() {
        if !all.contains(&name) {
            todo.extend(inside.get(&name).into_iter().flatten().cloned());
            all.insert(name);
        }
    }
    all
}

fn is_lock(class: &str) -> bool {
    class.ends_with("Mutex") || class.ends_with("Lock")
}

/// The structures that have locks, or others that do.
fn with_locks(inside: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&str> {
    let mut all: BTreeSet<&str> = BTreeSet::new();
    loop {
        let before = all.len();
        for (class, names) in inside {
            let locks = |name: &String| is_lock(name) || all.contains(name.as_str());
            if names.iter().any(locks) {
                all.insert(class);
            }
        }
        if all.len() == before {
            return all;
        }
    }
}
