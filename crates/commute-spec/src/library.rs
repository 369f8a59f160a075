//! The specifications an analysis may use, by type name.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::points::AccessPoints;
use crate::shipped;
use crate::specification::Specification;

/// A specification with its access points, which are computed when first
/// needed.
#[derive(Debug)]
pub struct CompiledSpecification {
    /// The specification.
    pub specification: Specification,
    points: OnceLock<AccessPoints>,
}

impl CompiledSpecification {
    /// Nothing is computed yet.
    pub fn new(specification: Specification) -> CompiledSpecification {
        CompiledSpecification {
            specification,
            points: OnceLock::new(),
        }
    }

    /// Its access points.
    #[inline]
    pub fn points(&self) -> &AccessPoints {
        self.points
            .get_or_init(|| AccessPoints::of(&self.specification))
    }
}

/// Specifications by type name.
///
/// ```
/// use commute_spec::Library;
///
/// let library = Library::shipped();
/// assert_eq!(library.specification("dictionary").unwrap().methods.len(), 3);
/// assert!(library.get("union-find").is_some(), "`-` is as good as `_`");
/// ```
#[derive(Debug, Default)]
pub struct Library {
    types: BTreeMap<String, Type>,
}

/// A type; a shipped one is parsed when it is first asked for, so that a
/// program pays only for what it uses.
#[derive(Debug, Default)]
struct Type {
    compiled: OnceLock<Arc<CompiledSpecification>>,
    /// For objects of which the initial count is known.
    counted: OnceLock<Arc<CompiledSpecification>>,
}

impl Type {
    fn compiled(&self, name: &str) -> &Arc<CompiledSpecification> {
        self.compiled.get_or_init(|| {
            let specification = shipped::parse_one(name).expect("a shipped type");
            Arc::new(CompiledSpecification::new(specification))
        })
    }

    /// For objects of which the initial count is known; `compiled` is for the others.
    fn counted(&self, compiled: &CompiledSpecification) -> &Arc<CompiledSpecification> {
        let counted = || Arc::new(CompiledSpecification::new(compiled.specification.counted()));
        self.counted.get_or_init(counted)
    }
}

impl Library {
    /// No specification.
    pub fn empty() -> Library {
        Library::default()
    }

    /// The specifications that come with Commute.
    pub fn shipped() -> Library {
        let names = shipped::SOURCES.iter().map(|(name, _)| *name);
        Library {
            types: names
                .map(|name| (name.to_owned(), Type::default()))
                .collect(),
        }
    }

    /// Adds a specification; one of the same name is replaced.
    pub fn insert(&mut self, specification: Specification) {
        let name = key(&specification.name);
        let compiled = Arc::new(CompiledSpecification::new(specification));
        let compiled = OnceLock::from(compiled);
        let counted = OnceLock::new();
        self.types.insert(name, Type { compiled, counted });
    }

    /// The specification of a type, with its access points. The name may have an argument,
    /// if the type has a parameter: `semaphore(2)`.
    pub fn get(&self, name: &str) -> Option<Arc<CompiledSpecification>> {
        self.compiled(name).cloned()
    }

    /// The specification of a type.
    pub fn specification(&self, name: &str) -> Option<&Specification> {
        Some(&self.compiled(name)?.specification)
    }

    /// A type of which the initial count of each object is taken for known: actions that
    /// a rule counts from the parameter conflict only by that rule.
    pub fn counted(&self, name: &str) -> Option<Arc<CompiledSpecification>> {
        let compiled = self.compiled(name)?;
        if compiled.specification.parameter.is_none() {
            return Some(compiled.clone());
        }
        let base = key(name.split('(').next().unwrap_or(name));
        Some(self.types[&base].counted(compiled).clone())
    }

    fn compiled(&self, name: &str) -> Option<&Arc<CompiledSpecification>> {
        let (base, argument) = match name.split_once('(') {
            Some((base, _)) => (base, Some(type_argument(name)?)),
            None => (name, None),
        };
        let base = key(base);
        let compiled = self.types.get(&base)?.compiled(&base);
        if argument.is_none() {
            return Some(compiled);
        }
        compiled.specification.parameter.as_ref()?;
        Some(self.types[&base].counted(compiled))
    }

    /// The names of all types, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.types.keys().map(String::as_str)
    }
}

/// The argument in the name of a type: 2 in `semaphore(2)`.
///
/// ```
/// assert_eq!(commute_spec::type_argument("semaphore(2)"), Some(2));
/// assert_eq!(commute_spec::type_argument("semaphore"), None);
/// assert_eq!(commute_spec::type_argument("semaphore(two)"), None);
/// ```
pub fn type_argument(name: &str) -> Option<u64> {
    let (_, argument) = name.strip_suffix(')')?.split_once('(')?;
    let digits = argument.bytes().all(|byte| byte.is_ascii_digit());
    argument.parse().ok().filter(|_| digits)
}

/// People write `union-find`; the language writes `union_find`.
fn key(name: &str) -> String {
    name.replace('-', "_")
}
