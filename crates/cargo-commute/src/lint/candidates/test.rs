//! The test of a candidate, ready to be pasted at the end of the file that has the method.
//!
//! Names and types are the compiler's. What nobody can know, how to make an object or
//! which closure to pass, is a blank: the compiler says what is missing.

use std::fmt::Write;

use commute_lint::candidates::{Candidate, Root};
use commute_lint::ir::{FunctionId, Program};
use commute_report::Sources;

use super::call::{self, Call, Object, blank, parameter};
use super::generics::Generics;
use super::types::Ty;

/// Longer lines are broken.
const WIDTH: usize = 100;
/// So many other methods are part of a test, at most.
const PEERS: usize = 8;

/// The test of a candidate.
///
/// # Errors
/// Why there is none.
pub(super) fn of(
    program: &Program,
    candidate: &Candidate,
    sources: &dyn Sources,
) -> Result<String, String> {
    let method = program.function(candidate.method);
    if !program.guarded {
        return Err("`commute::compose` is for Rust".to_owned());
    }
    if method.name.contains('{') {
        return Err("this is a closure; a method could be tested".to_owned());
    }
    let Root::Parameter(at) = &candidate.object.root else {
        return Err(
            "the collection is static, and every run of a test needs a new one: \
             give it to the function"
                .to_owned(),
        );
    };
    let generics = &generics(program, candidate.method, sources);
    let (mut name, ty) = parameter(program, generics, method, at.0);
    let target = match &ty {
        Ty::Reference { to, .. } => (**to).clone(),
        ty => ty.clone(),
    };
    let class = class_of(&target);
    if name == "self" {
        name = snake(&class);
    }
    let taken = |local| local != at.0 && parameter(program, generics, method, local).0 == name;
    if (1..=method.parameters).any(taken) || is_keyword(&name) {
        name = "object".to_owned();
    }
    let object = Object {
        at: *at,
        ty: &ty,
        name: &name,
    };
    let ids = (candidate.method, candidate.body);
    let own = call::of(program, generics, ids, &object);
    let mut test = Test {
        lines: Vec::new(),
        head: format!("{name}: &{}", target.text()),
        notes: Vec::new(),
    };
    let new = constructor(program, generics, &target);
    test.lines.push(format!("compose::check({new})"));
    test.add(".method", candidate.method != candidate.body, "", &own);
    let looked_at = test.peers(program, candidate, &object, sources);
    // Who has the collection itself can do anything to it; and if no other method uses
    // it, somebody has to look.
    let is_open = candidate.object.fields.is_empty() || !looked_at;
    let environment = if is_open { "open" } else { "client" };
    test.lines
        .push(format!(".environment(Environment::{environment}())"));
    test.lines.push(".assert_atomic();".to_owned());
    let function = method.name.rsplit("::").next().unwrap_or_default();
    let module = match method.locals[1].name.as_deref() {
        Some("self") => format!("{}_{function}", snake(&class)),
        _ => function.to_owned(),
    };
    Ok(test.text(&module, function, generics))
}

/// The generic parameters of a function.
fn generics(program: &Program, id: FunctionId, sources: &dyn Sources) -> Generics {
    let function = program.function(id);
    let file = program.files.get(function.site.file.index());
    let name = function.name.rsplit("::").next().unwrap_or_default();
    match file.and_then(|file| sources.text(file)) {
        Some(text) => Generics::of(&text, function.site.line, name),
        None => Generics::default(),
    }
}

struct Test {
    /// The calls, each on its line.
    lines: Vec<String>,
    /// The first parameter of every closure.
    head: String,
    notes: Vec<String>,
}

impl Test {
    fn add(&mut self, word: &str, is_async: bool, name: &str, call: &Call) {
        let (suffix, keyword) = match is_async {
            true => ("_async", "async "),
            false => ("", ""),
        };
        let quoted = match name {
            "" => String::new(),
            name => format!("\"{name}\", "),
        };
        let (head, parameters) = (&self.head, &call.parameters);
        let start = format!("{word}{suffix}({quoted}{keyword}|{head}, {parameters}|");
        let short = format!("{start} {})", call.body);
        let line = match short.chars().count() + 12 > WIDTH {
            true => format!("{start} {{\n                {}\n            }})", call.body),
            false => short,
        };
        self.lines.push(line);
        let needs = |types: &[String], what: &str| -> Vec<String> {
            let types = types.iter();
            types.map(|ty| format!("`{ty}` needs {what}")).collect()
        };
        let domains = needs(&call.domains, "`#[derive(commute::Domain, Debug)]`");
        let shown = needs(&call.shown, "`Debug`");
        for note in domains.into_iter().chain(shown) {
            let ty = note.split('`').nth(1).unwrap_or_default().to_owned();
            let is_known = |known: &String| known.contains(&format!("`{ty}` needs"));
            if !self.notes.iter().any(is_known) {
                self.notes.push(note);
            }
        }
    }

    /// What else uses the collection: whether there is anything.
    fn peers(
        &mut self,
        program: &Program,
        candidate: &Candidate,
        object: &Object<'_>,
        sources: &dyn Sources,
    ) -> bool {
        let mut left = Vec::new();
        let mut any = false;
        for (number, peer) in candidate.peers.iter().enumerate() {
            let function = program.function(peer.method);
            let name = function.name.rsplit("::").next().unwrap_or_default();
            let is_method = function.locals[1].name.as_deref() == Some("self");
            let generics = generics(program, peer.method, sources);
            let call = call::of(program, &generics, (peer.method, peer.body), object);
            if number >= PEERS || call.is_blank || !is_method || function.name.contains('{') {
                left.push(format!("`{name}`"));
                continue;
            }
            any = true;
            let is_async = peer.method != peer.body;
            // What is `async` cannot be looked at.
            let word = match peer.writes || is_async {
                true => ".peer",
                false => ".observe",
            };
            self.add(word, is_async, name, &call);
        }
        if !left.is_empty() {
            let left = left.join(", ");
            self.notes
                .push(format!("others use it too, and are missing here: {left}"));
        }
        any
    }

    fn text(&self, module: &str, function: &str, generics: &Generics) -> String {
        let mut out = format!(
            "#[cfg(test)]\nmod {module}_is_atomic {{\n    use super::*;\n    use commute::compose::{{self, Environment}};\n\n"
        );
        let is_used = |name: &str| {
            let mut words = self.lines.iter().flat_map(|line| words(line));
            words.any(|word| word == name)
        };
        for (name, bounds) in generics.blanks().filter(|(name, _)| is_used(name)) {
            let what = blank(&format!("a type that implements {bounds}"));
            let _ = writeln!(out, "    type {name} = {what};\n");
        }
        for note in &self.notes {
            let _ = writeln!(out, "    // {note}");
        }
        let _ = writeln!(
            out,
            "    #[commute::test]\n    fn {function}_is_atomic() {{"
        );
        for (number, line) in self.lines.iter().enumerate() {
            let indent = if number == 0 { 8 } else { 12 };
            let _ = writeln!(out, "{}{line}", " ".repeat(indent));
        }
        out.push_str("    }\n}\n");
        out
    }
}

/// The names in a line of code.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// How a new object is made: a function, or a closure.
fn constructor(program: &Program, generics: &Generics, target: &Ty) -> String {
    match made(program, generics, target) {
        Some(made) => match made.strip_suffix("()") {
            Some(function) if !function.contains(['(', ' ']) => function.to_owned(),
            _ => format!("|| {made}"),
        },
        None => {
            let ty = target.text();
            format!("|| -> {ty} {{ {} }}", blank("a new one"))
        }
    }
}

/// An expression that makes an object.
fn made(program: &Program, generics: &Generics, target: &Ty) -> Option<String> {
    let text = target.text();
    let path = match text.split_once('<') {
        Some((name, arguments)) => format!("{name}::<{arguments}"),
        None => text,
    };
    // What wraps a value.
    if let (name @ ("Arc" | "Box" | "Mutex" | "RwLock"), Some(inner)) =
        (target.name(), target.arguments().first())
    {
        let inner = made(program, generics, inner)?;
        let name = if name == "Arc" {
            "std::sync::Arc"
        } else {
            name
        };
        return Some(format!("{name}::new({inner})"));
    }
    let mut best: Option<(u32, String)> = None;
    for function in &program.functions {
        let result = parameter(program, generics, function, 0).1;
        let name = function.name.rsplit("::").next().unwrap_or_default();
        let rank = match (name, function.parameters) {
            ("new", 0) => 0,
            ("default", 0) => 1,
            (_, 0) => 2,
            ("new", _) => 3,
            _ => continue,
        };
        let is_free = !function.name.contains("::") && name != "new" && name != "default";
        let is_worse = best.as_ref().is_some_and(|(other, _)| *other <= rank);
        if result != *target || is_worse || is_free || function.name.contains('{') {
            continue;
        }
        let arguments: Vec<String> = (1..=function.parameters)
            .map(|local| value(&parameter(program, generics, function, local)))
            .collect();
        best = Some((rank, format!("{path}::{name}({})", arguments.join(", "))));
    }
    if let Some((_, made)) = best {
        return Some(made);
    }
    let endings = ["Map", "Set", "Queue"];
    let is_collection = endings.iter().any(|e| target.name().ends_with(e));
    is_collection.then(|| format!("{path}::default()"))
}

/// A value for a parameter of a constructor.
fn value((name, ty): &(String, Ty)) -> String {
    match ty.name() {
        "bool" => format!("false /* {name} */"),
        "usize" | "u64" | "u32" | "u16" | "u8" | "i64" | "i32" => format!("16 /* {name} */"),
        _ => blank(name),
    }
}

/// The last name of a type, behind pointers.
fn class_of(ty: &Ty) -> String {
    match (ty.name(), ty.arguments()) {
        ("Arc" | "Box", [inner]) => class_of(inner),
        ("", _) => "object".to_owned(),
        (name, _) => name.to_owned(),
    }
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit()) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
        before = c;
    }
    out
}

fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "type" | "box" | "match" | "move" | "ref" | "static" | "crate" | "loop"
    )
}
