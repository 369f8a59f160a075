//! How a test calls a method: with arguments from domains, and so that the result can be
//! compared.

use commute_lint::ir::{Function, FunctionId, Local, Program};

use super::generics::Generics;
use super::types::Ty;

/// A closure for `compose`: what it takes besides the object, and what it does.
pub(super) struct Call {
    /// `key: u32`, `(key, value): (u32, String)` or `(): ()`.
    pub parameters: String,
    pub body: String,
    /// Whether somebody has to fill something in.
    pub is_blank: bool,
    /// Types that need a domain, and to be shown.
    pub domains: Vec<String>,
    /// Types that need to be shown.
    pub shown: Vec<String>,
}

/// What the test calls the object: its type and its name.
pub(super) struct Object<'a> {
    /// Which parameter it is.
    pub at: Local,
    /// As it is passed: with the reference, if it is one.
    pub ty: &'a Ty,
    pub name: &'a str,
}

/// The name and the type of a parameter; generic types with their arguments.
pub(super) fn parameter(
    program: &Program,
    generics: &Generics,
    function: &Function,
    local: u32,
) -> (String, Ty) {
    let variable = &function.locals[local as usize];
    let name = match &variable.name {
        Some(name) => name.trim_start_matches('_').to_owned(),
        None => String::new(),
    };
    let name = match name.is_empty() {
        true => format!("argument_{local}"),
        false => name,
    };
    let ty = program.types.get(variable.ty.index());
    let ty = Ty::parse(ty.map_or("_", |ty| &ty.name));
    (name, generics.resolve(ty))
}

/// How a method is called with an object.
pub(super) fn of(
    program: &Program,
    generics: &Generics,
    (method, body): (FunctionId, FunctionId),
    object: &Object<'_>,
) -> Call {
    let function = program.function(method);
    let mut call = Call {
        parameters: String::new(),
        body: String::new(),
        is_blank: false,
        domains: Vec::new(),
        shown: Vec::new(),
    };
    let (mut names, mut types, mut passed) = (Vec::new(), Vec::new(), Vec::new());
    for local in 1..=function.parameters {
        if local == object.at.0 {
            passed.push(match object.ty {
                Ty::Reference { .. } => object.name.to_owned(),
                _ => format!("{}.clone()", object.name),
            });
            continue;
        }
        let (name, ty) = parameter(program, generics, function, local);
        match argument(&ty, &name) {
            Argument::Drawn(ty, expression) => {
                ty.own(&mut call.domains);
                names.push(name);
                types.push(ty.text());
                passed.push(expression);
            }
            Argument::Blank(expression) => {
                call.is_blank = true;
                passed.push(expression);
            }
        }
    }
    call.parameters = match (names.as_slice(), types.as_slice()) {
        ([name], [ty]) => format!("{name}: {ty}"),
        _ => format!("({}): ({})", names.join(", "), types.join(", ")),
    };
    let is_method = function.locals[1].name.as_deref() == Some("self");
    let mut made = match is_method && object.at.0 == 1 {
        true => {
            let name = function.name.rsplit("::").next().unwrap_or_default();
            // Methods take references to it by themselves.
            format!("{}.{name}({})", object.name, passed[1..].join(", "))
        }
        false => format!("{}({})", path(&function.name), passed.join(", ")),
    };
    let is_async = method != body;
    if is_async {
        made.push_str(".await");
    }
    call.body = call.returned(made, &result(program, generics, method, body));
    call
}

impl Call {
    /// What is returned, so that it can be compared: as something that is owned.
    fn returned(&mut self, made: String, ty: &Ty) -> String {
        let inner = ty.arguments().first();
        let is_option = ty.name() == "Option";
        let inside = |name: &str| is_option && inner.is_some_and(|inner| inner.name() == name);
        let is_lent = |ty: &Ty| matches!(ty.name(), "Ref" | "RefMut") && ty.borrows();
        match ty {
            _ if ty.name() == "Arc" => format!("compose::same(&{made})"),
            _ if inside("Arc") => format!("{made}.map(|found| compose::same(&found))"),
            _ if is_lent(ty) => format!("{made}.value().clone()"),
            _ if is_option && inner.is_some_and(is_lent) => {
                format!("{made}.map(|found| found.value().clone())")
            }
            Ty::Reference { .. } => format!("{made}.to_owned()"),
            _ if is_option && matches!(inner, Some(Ty::Reference { .. })) => {
                format!("{made}.map(|found| found.to_owned())")
            }
            _ if ty.borrows() => {
                self.is_blank = true;
                let what = blank("what of it is compared, as a value that is owned");
                format!("{{ let _found = {made}; {what} }}")
            }
            _ => {
                ty.own(&mut self.shown);
                made
            }
        }
    }
}

/// What somebody has to fill in. Something that panics would not do: a panic is a result
/// like any other, and a test of nothing but panics passes.
pub(super) fn blank(what: &str) -> String {
    format!("compile_error!({:?})", format!("fill in: {what}"))
}

/// What is given for a parameter.
enum Argument {
    /// A value of this type, passed like this.
    Drawn(Ty, String),
    /// Something to fill in.
    Blank(String),
}

fn argument(ty: &Ty, name: &str) -> Argument {
    match ty {
        Ty::Reference { mutable, to } => {
            let owned = match &**to {
                Ty::Slice(of) => Ty::Named {
                    path: "std::vec::Vec".to_owned(),
                    arguments: vec![(**of).clone()],
                    borrows: false,
                },
                to => match to.name() {
                    "str" => Ty::parse("std::string::String"),
                    "Path" => Ty::parse("std::path::PathBuf"),
                    "OsStr" => Ty::parse("std::ffi::OsString"),
                    _ => to.clone(),
                },
            };
            match argument(&owned, name) {
                Argument::Drawn(ty, inner) if *mutable => {
                    Argument::Drawn(ty, format!("&mut {inner}.clone()"))
                }
                Argument::Drawn(ty, inner) => Argument::Drawn(ty, format!("&{inner}")),
                blank @ Argument::Blank(_) => blank,
            }
        }
        Ty::Closure(parameters) => {
            let parameters = vec!["_"; *parameters].join(", ");
            Argument::Blank(format!("|{parameters}| {}", blank(name)))
        }
        Ty::Other(text) => Argument::Blank(blank(&format!("{name}: {text}"))),
        Ty::Slice(_) => Argument::Blank(blank(name)),
        ty if ty.borrows() => Argument::Blank(blank(&format!("{name}: {}", ty.text()))),
        ty => Argument::Drawn(ty.clone(), name.to_owned()),
    }
}

/// What a method returns: of an `async` one, in the end.
fn result(program: &Program, generics: &Generics, method: FunctionId, body: FunctionId) -> Ty {
    let ty = program.function(body).locals.first();
    let ty = ty.and_then(|result| program.types.get(result.ty.index()));
    let ty = generics.resolve(Ty::parse(ty.map_or("()", |ty| &ty.name)));
    match ty.arguments().first() {
        Some(inner) if method != body && ty.name() == "Poll" => inner.clone(),
        _ => ty,
    }
}

/// The path of a function that is no method, in the module that has it.
fn path(name: &str) -> String {
    let parts: Vec<&str> = name.rsplitn(3, "::").collect();
    match parts.as_slice() {
        [function, class, ..] if class.starts_with(|c: char| c.is_uppercase()) => {
            format!("{class}::{function}")
        }
        [function, ..] => (*function).to_owned(),
        [] => String::new(),
    }
}
