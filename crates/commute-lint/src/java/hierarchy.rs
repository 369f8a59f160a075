//! Who extends whom, and which functions a call may therefore reach: class
//! hierarchy analysis over the classes that were given.

use std::cell::RefCell;
use std::rc::Rc;

use cafebabe::ClassAccessFlags;
use rustc_hash::{FxHashMap, FxHashSet};

use super::class::{self, Class};
use super::closures::Closure;
use super::holders::Holders;
use super::tables::Tables;
use crate::ir::FunctionId;

/// Which code a method of a class is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Resolved<'w> {
    /// This function.
    Function(FunctionId),
    /// There is none: the method is abstract or native.
    Without,
    /// Something of this class or interface, which was not given.
    Outside(&'w str),
}

/// All classes, and what they have to do with each other.
pub(super) struct World<'a> {
    pub(super) classes: Vec<Class<'a>>,
    pub(super) closures: Vec<Closure<'a>>,
    /// How many functions there are.
    pub(super) functions: usize,
    classes_by_name: FxHashMap<String, usize>,
    /// The classes that name a type as their superclass or interface.
    below: FxHashMap<String, Vec<usize>>,
    closures_by_interface: FxHashMap<String, Vec<usize>>,
    closures_by_name: FxHashMap<String, usize>,
    reached: RefCell<FxHashMap<String, Rc<[FunctionId]>>>,
    /// What fields hold whose types are interfaces.
    pub(super) holders: Holders,
}

impl<'a> World<'a> {
    /// Gives each method with code a number. Of two classes with one name the
    /// first counts, as on a class path.
    pub(super) fn new(all: Vec<Class<'a>>, tables: &mut Tables) -> World<'a> {
        let mut world = World {
            classes: Vec::with_capacity(all.len()),
            closures: Vec::new(),
            functions: 0,
            classes_by_name: FxHashMap::default(),
            below: FxHashMap::default(),
            closures_by_interface: FxHashMap::default(),
            closures_by_name: FxHashMap::default(),
            reached: RefCell::default(),
            holders: Holders::default(),
        };
        for mut class in all {
            let index = world.classes.len();
            // It has no code, and the same name in every module.
            if class.file.access_flags.contains(ClassAccessFlags::MODULE) {
                continue;
            }
            if let Some(&first) = world.classes_by_name.get(class.name()) {
                let first = world.classes[first].input;
                let what = format!("the class `{}` is in {first} already", class.name());
                tables.gap(class.input, what);
                continue;
            }
            let methods = class.file.methods.iter().zip(&mut class.functions);
            for (method, function) in methods {
                if class::code(method).is_some() {
                    *function = Some(FunctionId(world.functions as u32));
                    world.functions += 1;
                }
            }
            (world.classes_by_name).insert(class.name().to_owned(), index);
            for above in class.file.super_class.iter().chain(&class.file.interfaces) {
                let below = world.below.entry(above.to_string()).or_default();
                below.push(index);
            }
            world.classes.push(class);
        }
        world
    }

    /// Adds a closure, whose function is the next one.
    pub(super) fn add(&mut self, make: impl FnOnce(FunctionId) -> Closure<'a>) -> usize {
        let closure = make(FunctionId(self.functions as u32));
        self.functions += 1;
        let index = self.closures.len();
        (self.closures_by_interface)
            .entry(closure.interface.clone())
            .or_default()
            .push(index);
        (self.closures_by_name).insert(closure.class.clone(), index);
        self.closures.push(closure);
        index
    }

    /// The class with this name, if it was given.
    pub(super) fn class(&self, name: &str) -> Option<&Class<'a>> {
        Some(&self.classes[*self.classes_by_name.get(name)?])
    }

    /// The index of the class with this name.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.classes_by_name.get(name).copied()
    }

    /// The classes above this one, as far as they were given.
    pub(super) fn above<'w>(&'w self, name: &'w str) -> impl Iterator<Item = &'w str> {
        let next = |name: &&'w str| self.class(name)?.file.super_class.as_deref();
        let above = std::iter::successors(next(&name), next);
        // A hierarchy with a cycle is broken, and ends here.
        above.take(self.classes.len())
    }

    /// The closure with this class.
    pub(super) fn closure(&self, class: &str) -> Option<&Closure<'a>> {
        Some(&self.closures[*self.closures_by_name.get(class)?])
    }

    /// What a class makes of a method (its name and descriptor, written after
    /// each other): its own, or what it inherits.
    pub(super) fn resolve<'w>(&'w self, class: &'w str, method: &str) -> Resolved<'w> {
        let mut outside = None;
        let mut interfaces = Vec::new();
        let mut next = Some(class);
        // A hierarchy with a cycle is broken, and ends here.
        for _ in 0..=self.classes.len() {
            let Some(name) = next else { break };
            let Some(class) = self.class(name) else {
                outside = Some(name);
                break;
            };
            if let Some(found) = own(class, method) {
                return found;
            }
            interfaces.extend(class.file.interfaces.iter().map(|name| &**name));
            next = class.file.super_class.as_deref();
        }
        let mut seen = FxHashSet::default();
        let mut without = false;
        while let Some(name) = interfaces.pop() {
            if !seen.insert(name) {
                continue;
            }
            match self.class(name) {
                Some(class) => match own(class, method) {
                    Some(Resolved::Function(function)) => return Resolved::Function(function),
                    Some(_) => without = true,
                    None => interfaces.extend(class.file.interfaces.iter().map(|name| &**name)),
                },
                None if outside.is_none_or(|outside| outside == "java/lang/Object") => {
                    outside = Some(name);
                }
                None => {}
            }
        }
        match outside {
            _ if without => Resolved::Without,
            Some(outside) => Resolved::Outside(outside),
            None => Resolved::Without,
        }
    }

    /// The functions that a call of a method on something of this type may
    /// reach, as far as they were given.
    pub(super) fn reached(&self, class: &str, method: &str) -> Rc<[FunctionId]> {
        let key = format!("{class}.{method}");
        if let Some(found) = self.reached.borrow().get(&key) {
            return Rc::clone(found);
        }
        let mut functions = Vec::new();
        if let Some(closure) = self.closure(class) {
            functions.push(closure.function);
        }
        for name in self.at_or_below(class) {
            if let Some(class) = self.class(name)
                && !(class.file.access_flags)
                    .intersects(ClassAccessFlags::INTERFACE | ClassAccessFlags::ABSTRACT)
                && let Resolved::Function(function) = self.resolve(name, method)
            {
                functions.push(function);
            }
            for &index in self.closures_by_interface.get(name).into_iter().flatten() {
                let closure = &self.closures[index];
                if closure.method == method {
                    functions.push(closure.function);
                }
            }
        }
        functions.sort_unstable();
        functions.dedup();
        let functions: Rc<[FunctionId]> = functions.into();
        (self.reached.borrow_mut()).insert(key, Rc::clone(&functions));
        functions
    }

    /// Whether a class is another or below it, as far as that can be seen.
    pub(super) fn is_a(&self, class: &str, other: &str) -> bool {
        let mut next = vec![class];
        let mut seen = FxHashSet::default();
        while let Some(name) = next.pop() {
            if name == other {
                return true;
            }
            if let Some(class) = self.class(name)
                && seen.insert(name)
            {
                let above = class.file.super_class.iter().chain(&class.file.interfaces);
                next.extend(above.map(|name| &**name));
            }
        }
        false
    }

    /// The type, and all types below it that were given.
    fn at_or_below<'w>(&'w self, class: &'w str) -> Vec<&'w str> {
        let mut seen = FxHashSet::default();
        seen.insert(class);
        let mut all = vec![class];
        let mut done = 0;
        while let Some(name) = all.get(done) {
            done += 1;
            for &index in self.below.get(*name).into_iter().flatten() {
                let name = self.classes[index].name();
                if seen.insert(name) {
                    all.push(name);
                }
            }
        }
        all
    }

    /// The class that declares a field which is used as this class's.
    pub(super) fn declares<'w>(&'w self, class: &'w str, field: &str) -> &'w str {
        let mut next = vec![class];
        let mut seen = FxHashSet::default();
        while let Some(name) = next.pop() {
            let Some(found) = self.class(name) else {
                continue;
            };
            if found.file.fields.iter().any(|own| own.name == field) {
                return found.name();
            }
            if seen.insert(name) {
                next.extend(found.file.interfaces.iter().map(|name| &**name));
                next.extend(found.file.super_class.as_deref());
            }
        }
        class
    }
}

/// What the class itself says about a method.
fn own(class: &Class<'_>, method: &str) -> Option<Resolved<'static>> {
    Some(match class.functions[class.method(method)?] {
        Some(function) => Resolved::Function(function),
        None => Resolved::Without,
    })
}
