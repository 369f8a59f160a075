//! Names for objects that have none, and different names for different objects.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::registry::{Info, Sort};

/// Which names are in use.
#[derive(Debug)]
pub(crate) struct Naming {
    /// By name space and name without its number.
    bases: FxHashMap<(u8, String), Numbers>,
    /// All names, each with its base and its number.
    live: FxHashMap<(u8, String), (String, u32)>,
    /// Where the program was started: paths below are shown without it.
    root: Option<PathBuf>,
}

/// Numbers after a name, from 1.
#[derive(Debug, Default)]
struct Numbers {
    used: u32,
    free: BTreeSet<u32>,
}

impl Default for Naming {
    fn default() -> Naming {
        Naming {
            bases: FxHashMap::default(),
            live: FxHashMap::default(),
            root: std::env::current_dir().ok(),
        }
    }
}

impl Naming {
    /// A name that no other living object of its name space has.
    pub(crate) fn name(&mut self, info: &Info) -> String {
        let sort = info.kind.sort();
        let base = match (&info.name, info.created) {
            (Some(name), _) => legal(name),
            (None, _) if sort == Sort::Thread => "T".into(),
            (None, Some(at)) => {
                let word = info.kind.word();
                legal(&format!("{word}@{}:{}", self.path(at.file()), at.line()))
            }
            (None, None) => info.kind.word().into(),
        };
        // Threads without a name are all called T and a number.
        let is_number = sort == Sort::Thread && info.name.is_none();
        let space = space(sort);
        let numbers = self.bases.entry((space, base.clone())).or_default();
        loop {
            let number = numbers.free.pop_first().unwrap_or_else(|| {
                numbers.used += 1;
                numbers.used
            });
            let name = match number {
                n if is_number => format!("{base}{n}"),
                1 => base.clone(),
                n => format!("{base}#{n}"),
            };
            // Somebody may have given this very name.
            if let Entry::Vacant(place) = self.live.entry((space, name.clone())) {
                place.insert((base, number));
                return name;
            }
        }
    }

    /// The name may be used again.
    pub(crate) fn give_back(&mut self, sort: Sort, name: String) {
        let space = space(sort);
        if let Some((base, number)) = self.live.remove(&(space, name))
            && let Some(numbers) = self.bases.get_mut(&(space, base))
        {
            numbers.free.insert(number);
        }
    }

    /// A path as reports show it.
    pub(crate) fn path<'p>(&self, path: &'p str) -> &'p str {
        let below = self.root.as_ref().and_then(|root| {
            let rest = path.strip_prefix(root.to_str()?)?;
            rest.strip_prefix(std::path::MAIN_SEPARATOR)
        });
        below.unwrap_or(path)
    }
}

fn space(sort: Sort) -> u8 {
    match sort {
        Sort::Lock => 0,
        Sort::Condvar => 1,
        Sort::Object(_) => 2,
        Sort::Thread => 3,
    }
}

/// The name with nothing in it that a trace cannot say.
fn legal(name: &str) -> String {
    let fits = |c: char| match c {
        '|' | '(' | ')' | ',' => '_',
        c if c.is_control() => '_',
        c => c,
    };
    let name = name.trim().trim_start_matches('#');
    let name: String = name.chars().map(fits).take(200).collect();
    match name.is_empty() {
        true => "unnamed".into(),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Kind;

    static LOCK: Kind = Kind::lock("mutex");

    fn info(kind: &'static Kind, name: Option<&str>) -> Info {
        Info {
            kind,
            created: None,
            name: name.map(Into::into),
            argument: None,
        }
    }

    #[test]
    fn living_objects_have_different_names_and_the_dead_give_theirs_back() {
        let mut naming = Naming::default();
        let mut name = |n: Option<&str>| naming.name(&info(&LOCK, n));
        assert_eq!(name(None), "mutex");
        assert_eq!(name(Some("mutex#2")), "mutex#2");
        assert_eq!(name(None), "mutex#3");
        assert_eq!(name(Some("a|(b")), "a__b");
        assert_eq!(name(Some(" # ")), "unnamed");
        naming.give_back(Sort::Lock, "mutex".into());
        assert_eq!(naming.name(&info(&LOCK, None)), "mutex");
    }

    #[test]
    fn threads_without_a_name_have_a_number() {
        let mut naming = Naming::default();
        let mut name = |n: Option<&str>| naming.name(&info(&Kind::THREAD, n));
        assert_eq!(name(Some("main")), "main");
        assert_eq!(name(None), "T1");
        assert_eq!(name(None), "T2");
        assert_eq!(name(Some("worker")), "worker");
        assert_eq!(name(Some("worker")), "worker#2");
    }
}
