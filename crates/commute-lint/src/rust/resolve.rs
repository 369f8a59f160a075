//! Which function a path names.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::FunctionId;
use crate::rust::mir::syntax::Body;
use crate::rust::sources::Sources;
use crate::rust::text::{Path, last, plain, referent};

/// A method, and the whole path of its type, if that is known.
type Method = (FunctionId, Option<String>);

/// All functions of the crates that are looked at, by what calls name them.
#[derive(Default)]
pub(crate) struct Functions {
    /// Free functions, by their paths.
    free: BTreeMap<String, FunctionId>,
    /// Methods, by type and name.
    methods: BTreeMap<(String, String), Vec<Method>>,
    /// The first parts of paths of each crate.
    tops: BTreeMap<String, BTreeSet<String>>,
    /// Methods of traits, by trait and name.
    of_traits: BTreeMap<(String, String), Vec<FunctionId>>,
    /// Closures and coroutines, by their types.
    closures: BTreeMap<String, FunctionId>,
    /// Bodies of `async` functions, by their types without generic arguments;
    /// none if there are several.
    generic: BTreeMap<String, Option<FunctionId>>,
    /// Names in reports.
    names: BTreeMap<FunctionId, String>,
}

impl Functions {
    pub(crate) fn add(
        &mut self,
        id: FunctionId,
        krate: &str,
        body: &Body,
        sources: &mut Sources<'_>,
    ) {
        if let Some(closure) = closure_of(body) {
            self.closures.insert(closure.to_owned(), id);
            if let Some(general) = general(closure) {
                let known = self.generic.entry(general).or_insert(Some(id));
                *known = known.filter(|known| *known == id);
            }
        }
        let name = last_name(&body.name);
        let top = body.name.split("::").next().unwrap_or_default();
        let tops = self.tops.entry(krate.to_owned()).or_default();
        tops.insert(top.to_owned());
        let Some((span, rest)) = implementation(&body.name) else {
            let path = plain(&body.name);
            self.names.insert(id, path.clone());
            self.free.insert(format!("{krate}::{path}"), id);
            // A method that a trait brings along.
            if let Some((class, method)) = path.rsplit_once("::") {
                let key = (last(class).to_owned(), method.to_owned());
                self.of_traits.entry(key).or_default().push(id);
            }
            return;
        };
        let mut header = sources.header(span).or_else(|| from_self(body));
        // A macro says nothing about the type.
        if let Some(header) = header.as_mut().filter(|header| header.of.contains('$'))
            && let Some(known) = from_self(body)
        {
            header.of = known.of;
        }
        let Some(header) = header else {
            self.names.insert(id, rest.to_owned());
            return;
        };
        self.names.insert(id, format!("{}::{rest}", header.of));
        if name.ends_with('}') {
            return;
        }
        // A function inside of a method is none of the type: calls name both.
        let nested = rest.contains("::");
        let name = if nested { rest } else { name };
        let method = (header.of.clone(), name.to_owned());
        let whole = body
            .parameters
            .first()
            .map(|ty| plain(referent(ty)))
            .filter(|class| last(class) == header.of && !nested);
        self.methods.entry(method).or_default().push((id, whole));
        if !header.of_trait.is_empty() && !nested {
            let method = (header.of_trait, name.to_owned());
            self.of_traits.entry(method).or_default().push(id);
        }
    }

    /// Whether a type is `dyn Trait`, `impl Trait` or a generic parameter: a
    /// name without modules that nothing here has. Names of structures at the
    /// root of the crate look the same, those of numbers begin small.
    fn is_general(&self, of: &str) -> bool {
        let is_name = || {
            of.starts_with(|c: char| c.is_ascii_uppercase())
                && of.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let has = || {
            let first = (of.to_owned(), String::new());
            let mut behind = self.methods.range(first..);
            behind.next().is_some_and(|((class, _), _)| class == of)
        };
        of.starts_with("dyn ") || of.starts_with("impl ") || is_name() && !has()
    }

    pub(crate) fn closure(&self, ty: &str) -> Option<FunctionId> {
        let exact = self.closures.get(ty).copied();
        exact.or_else(|| *self.generic.get(&general(ty)?)?)
    }

    pub(crate) fn name(&self, id: FunctionId) -> String {
        self.names.get(&id).cloned().unwrap_or_default()
    }

    /// The functions that a call may mean; none if it leaves the crates.
    pub(crate) fn find(&self, krate: &str, path: &Path) -> Vec<FunctionId> {
        let of = referent(&path.of);
        if of.starts_with('{') {
            // Of what a closure or a future can do, only this runs it.
            let runs = matches!(
                path.name.as_str(),
                "call" | "call_mut" | "call_once" | "poll" | "resume"
            );
            let body = self.closures.get(of).filter(|_| runs);
            return body.copied().into_iter().collect();
        }
        if of.starts_with(['[', '(']) {
            return Vec::new();
        }
        for whole in [format!("{krate}::{}", path.plain), path.plain.clone()] {
            if let Some(id) = self.free.get(&whole) {
                return vec![*id];
            }
        }
        let foreign = |path: &str| {
            ["std::", "core::", "alloc::"]
                .iter()
                .any(|start| path.starts_with(start))
        };
        if !foreign(of) && !of.is_empty() && !of.starts_with("dyn ") {
            let class = plain(of);
            let method = (last(&class).to_owned(), path.name.clone());
            if let Some(all) = self.methods.get(&method) {
                let ours = self.tops.get(krate).is_some_and(|tops| {
                    let top = class.split("::").next().unwrap_or_default();
                    !class.contains("::") || tops.contains(top) || self.tops.contains_key(top)
                });
                let is_it = |whole: &Option<String>| match whole {
                    Some(whole) => class.ends_with(whole.as_str()) || whole.ends_with(&class),
                    None => true,
                };
                let ids: Vec<FunctionId> = all
                    .iter()
                    .filter(|(_, whole)| ours && is_it(whole))
                    .map(|(id, _)| *id)
                    .collect();
                if !ids.is_empty() {
                    return ids;
                }
            }
        }
        let inner = self.inside_a_method(&path.plain);
        if !inner.is_empty() {
            return inner;
        }
        // Any of the trait's. Of `Future` or `Iterator` that would be anything.
        let own = !path.of_trait.is_empty() && !foreign(&path.of_trait);
        if own && self.is_general(of) {
            let method = (last(&path.of_trait).to_owned(), path.name.clone());
            if let Some(ids) = self.of_traits.get(&method) {
                return ids.clone();
            }
        }
        // The type does not say otherwise: what the trait brings along.
        let brought = format!("{}::{}", path.of_trait, path.name);
        let mut paths = [format!("{krate}::{brought}"), brought].into_iter();
        let found = paths.find_map(|path| self.free.get(&path).filter(|_| own));
        found.copied().into_iter().collect()
    }
}

impl Functions {
    /// The functions that are meant by `Type::method::function`, or by
    /// `Type::method::{closure#0}::function`.
    fn inside_a_method(&self, path: &str) -> Vec<FunctionId> {
        let parts = path.match_indices("::");
        let mut inner = parts.filter_map(|(at, _)| {
            let inner = &path[at + 2..];
            let method = (last(&path[..at]).to_owned(), inner.to_owned());
            self.methods.get(&method).filter(|_| inner.contains("::"))
        });
        let found = inner.next().into_iter().flatten();
        found.map(|(id, _)| *id).collect()
    }
}

fn last_name(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// `module::<impl at SPAN>::rest` taken apart.
fn implementation(name: &str) -> Option<(&str, &str)> {
    let at = name.find("<impl at ")?;
    let rest = &name[at + 9..];
    let end = rest.find('>')?;
    Some((&rest[..end], rest[end + 1..].trim_start_matches("::")))
}

/// If the source is not there, the type of `self` says whose method it is.
fn from_self(body: &Body) -> Option<crate::rust::sources::Impl> {
    let first = body.parameters.first()?;
    let class = plain(referent(first));
    Some(crate::rust::sources::Impl {
        of: last(&class).to_owned(),
        of_trait: String::new(),
    })
}

/// The type of an `async` function's body without generic arguments: who calls
/// it writes others there than the function itself.
fn general(ty: &str) -> Option<String> {
    let path = ty.strip_prefix("{async fn body of ")?;
    // `<T as Trait>::f` stays, without what is inside of `T`.
    let least = i32::from(path.starts_with('<'));
    let (mut depth, mut before) = (0, ' ');
    let mut general = String::with_capacity(path.len());
    for c in path.chars() {
        if c == '<' {
            depth += 1;
        }
        if depth <= least {
            general.push(c);
        }
        if c == '>' && before != '-' {
            depth -= 1;
        }
        before = c;
    }
    Some(general)
}

/// The type of the closure or coroutine that a body belongs to.
pub(crate) fn closure_of(body: &Body) -> Option<&str> {
    if !body.name.ends_with('}') {
        return None;
    }
    let first = referent(body.parameters.first()?);
    let first = match first.find("Pin<") {
        Some(at) if !first.starts_with('{') => {
            let pinned = &first[at + 4..];
            referent(pinned.strip_suffix('>').unwrap_or(pinned))
        }
        _ => first,
    };
    first.starts_with('{').then_some(first)
}
