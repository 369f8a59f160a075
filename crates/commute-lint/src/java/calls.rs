//! Calls: of functions that were given, and of libraries.

use super::body::{Body, Value};
use super::hierarchy::Resolved;
use super::library::{self, Called};
use super::names;
use crate::ir::{Callee, Effect, FunctionId, Operand, Place, Rule, Statement, Step};

/// How a method is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dispatch {
    /// The class of the object decides.
    Virtual,
    /// The method that is named: constructors, `super.m()`.
    Special,
    /// The method that is named, without an object.
    Static,
}

/// The method that is called.
#[derive(Clone, Copy)]
pub(super) struct Method<'m> {
    pub(super) class: &'m str,
    pub(super) name: &'m str,
    pub(super) descriptor: &'m str,
    /// Whether nobody looks at the result.
    pub(super) dropped: bool,
}

impl Body<'_, '_> {
    /// Calls a method; the object is the first argument. Returns the result,
    /// if there is one.
    pub(super) fn invoke(
        &mut self,
        dispatch: Dispatch,
        method: Method<'_>,
        arguments: Vec<Value>,
    ) -> Option<Value> {
        let world = self.world;
        let held = arguments.first().map(|object| self.class_of(object));
        let method = match &held {
            // The object says more than the interface.
            Some(held)
                if dispatch == Dispatch::Virtual
                    && library::is_known(method.class)
                    && library::is_atomic(held) =>
            {
                Method {
                    class: held,
                    ..method
                }
            }
            _ => method,
        };
        let key = format!("{}{}", method.name, method.descriptor);
        if dispatch == Dispatch::Virtual {
            // Whoever starts a thread means `run`, even if all of the JDK is
            // there to be followed.
            if key == "start()V" && world.is_a(method.class, "java/lang/Thread") {
                let class = "java/lang/Thread";
                return self.outside(Method { class, ..method }, dispatch, arguments);
            }
            let given = world.class(method.class).is_some();
            if given || !library::is_known(method.class) && method.class != "java/lang/Object" {
                let functions = world.reached(method.class, &key);
                if !functions.is_empty() {
                    return self.inside(functions.to_vec(), method, arguments);
                }
            }
        }
        match world.resolve(method.class, &key) {
            // A virtual call that reaches nothing: no object of it was given.
            Resolved::Function(function) => self.inside(vec![function], method, arguments),
            Resolved::Without => self.outside(method, dispatch, arguments),
            Resolved::Outside(class) => {
                self.outside(Method { class, ..method }, dispatch, arguments)
            }
        }
    }

    /// Calls one of these functions.
    fn inside(
        &mut self,
        functions: Vec<FunctionId>,
        method: Method<'_>,
        arguments: Vec<Value>,
    ) -> Option<Value> {
        let (to, result) = self.result(method.descriptor);
        let callee = Callee::Functions(functions);
        let arguments = arguments.into_iter().map(|value| value.operand).collect();
        self.push(Statement::Call {
            to,
            callee,
            arguments,
        });
        result
    }

    /// Where the result of a method goes, and the value it is then.
    pub(super) fn result(&mut self, descriptor: &str) -> (Place, Option<Value>) {
        match names::signature(descriptor).1 {
            "V" => (self.nowhere(), None),
            result => {
                let local = self.temporary(result);
                (Place::local(local), Some(self.value(local)))
            }
        }
    }

    /// Calls a method that was not given.
    fn outside(
        &mut self,
        method: Method<'_>,
        dispatch: Dispatch,
        arguments: Vec<Value>,
    ) -> Option<Value> {
        let is_static = dispatch == Dispatch::Static;
        let called = Called {
            class: method.class,
            name: method.name,
            arguments: arguments.len() - usize::from(!is_static && !arguments.is_empty()),
            is_static,
            dropped: method.dropped,
        };
        if method.name == "<init>" {
            self.construct(&called, method, arguments);
            return None;
        }
        if (method.class, method.name) == ("java/lang/System", "arraycopy") {
            self.copy_elements(arguments);
            return None;
        }
        let mut arguments = match self.lock(&called, method.descriptor, arguments) {
            Ok(result) => return result,
            Err(arguments) => arguments,
        };
        let platform = library::is_platform(self.world.classes[self.class].name());
        if library::is_reflection(method.class, method.name) && !platform {
            self.gap("it calls or changes something by its name");
        }
        let effect = called.effect();
        if matches!(&effect, Effect::Operation(operation) if operation.atomic)
            && !library::is_old(method.class)
        {
            self.facts.regions.insert(self.class);
        }
        match effect {
            Effect::Spawn(argument) => {
                self.start(&arguments, argument, method, is_static);
            }
            _ => self.apply(&mut arguments),
        }
        let (to, result) = self.result(method.descriptor);
        let arguments = arguments.into_iter().map(|value| value.operand).collect();
        self.call(to, called.shown(), effect, arguments);
        result
    }

    /// A constructor that was not given. What `new` made becomes what the
    /// constructor makes of its arguments.
    fn construct(&mut self, called: &Called<'_>, method: Method<'_>, mut arguments: Vec<Value>) {
        if arguments.is_empty() {
            return;
        }
        let object = arguments.remove(0);
        if self.world.is_a(method.class, "java/lang/Thread") {
            let (parameters, _) = names::signature(method.descriptor);
            for (argument, parameter) in arguments.iter().zip(parameters) {
                if parameter == "Ljava/lang/Runnable;" {
                    let class = self.class_of(argument);
                    let expected = "java/lang/Runnable".to_owned();
                    self.starts(class, expected, false);
                }
            }
        }
        let is_this = self
            .locals
            .get(1)
            .is_some_and(|local| local.name.as_deref() == Some("this"));
        let to = match object.local() {
            // The constructor of a superclass.
            Some(local) if local.0 == 1 && is_this => {
                if arguments.is_empty() {
                    return;
                }
                let to = self.nowhere();
                let arguments = arguments.into_iter().map(|value| value.operand).collect();
                return self.call(to, called.shown(), Effect::Pure, arguments);
            }
            Some(local) => Place::local(local),
            None => self.nowhere(),
        };
        let arguments = arguments.into_iter().map(|value| value.operand).collect();
        self.call(to, called.shown(), Effect::Wrap, arguments);
    }

    /// `System.arraycopy`, as what it is: elements get elements.
    fn copy_elements(&mut self, arguments: Vec<Value>) {
        let mut arguments = arguments.into_iter();
        let (Some(source), Some(_), Some(target)) =
            (arguments.next(), arguments.next(), arguments.next())
        else {
            return;
        };
        let (source, target) = (self.element(source, None), self.element(target, None));
        self.assign(target, Rule::Copy, vec![Operand::Place(source, false)]);
    }

    /// An element of an array. If the array was just read from a field, the
    /// place begins there: elements are part of the field.
    pub(super) fn element(&mut self, array: Value, index: Option<Value>) -> Place {
        let array = self.held(array);
        let mut place = match self.origin(array) {
            Some(origin) => origin.clone(),
            None => Place::local(array),
        };
        let index = index.and_then(|index| index.local());
        place.steps.extend([Step::Deref, Step::Element(index)]);
        place
    }

    /// Notes that a thread is started with an argument.
    fn start(&mut self, arguments: &[Value], argument: usize, method: Method<'_>, is_static: bool) {
        let Some(started) = arguments.get(argument) else {
            return;
        };
        let (parameters, _) = names::signature(method.descriptor);
        let expected = match (is_static, argument) {
            (false, 0) => Some(method.class),
            (false, _) => parameters
                .get(argument - 1)
                .and_then(|p| names::class_of(p)),
            (true, _) => parameters.get(argument).and_then(|p| names::class_of(p)),
        };
        let expected = match expected {
            // `invokeAll` takes them all in a collection.
            Some("java/util/Collection") | None => "java/util/concurrent/Callable",
            Some(expected) => expected,
        };
        let class = self.class_of(started);
        // What runs again and again never runs twice at once.
        let again = matches!(
            method.name,
            "scheduleAtFixedRate" | "scheduleWithFixedDelay"
        );
        self.starts(class, expected.to_owned(), again);
    }

    /// A thread is started with something of this class: one, if `main` does so
    /// and does not come here again.
    fn starts(&mut self, class: String, expected: String, again: bool) {
        let once = again || self.once && !self.looped;
        let started = self.facts.started.entry((class, expected));
        started
            .and_modify(|several| *several = true)
            .or_insert(!once);
    }

    /// A library calls the closures that it is given. Their results are further
    /// arguments, because the result of the library may depend on them.
    fn apply(&mut self, arguments: &mut Vec<Value>) {
        let world = self.world;
        let mut results = Vec::new();
        let is_closure = |value: &Value| world.closure(&self.class_of(value)).is_some();
        if !arguments.iter().any(is_closure) {
            return;
        }
        let mut given: Vec<Operand> = (arguments.iter().skip(1))
            .filter(|value| !is_closure(value))
            .map(|value| value.operand.clone())
            .collect();
        if let Some(object) = arguments
            .first()
            .filter(|value| !is_closure(value))
            .cloned()
        {
            given.insert(0, Operand::Place(self.element(object, None), false));
        }
        for argument in arguments.iter() {
            let Some(closure) = world.closure(&self.class_of(argument)) else {
                continue;
            };
            let (parameters, result) = names::signature(&closure.signature);
            let mut passed = vec![argument.operand.clone()];
            for parameter in parameters {
                // What it is given is an element of the object, or an argument.
                let from = given.clone();
                passed.push(self.make(parameter, Rule::Compute, from).operand);
            }
            let to = match result {
                "V" => self.nowhere(),
                result => {
                    let local = self.temporary(result);
                    results.push(self.value(local));
                    Place::local(local)
                }
            };
            self.push(Statement::Call {
                to,
                callee: Callee::Functions(vec![closure.function]),
                arguments: passed,
            });
        }
        arguments.extend(results);
    }

    /// Reads a field of an object.
    pub(super) fn read_field(&mut self, base: Value, class: &str, name: &str, ty: &str) -> Value {
        let base = self.held(base);
        let place = self.field(base, class, name);
        let holder = match ty.starts_with('L') {
            true => {
                (self.world.holders).get(&format!("{}.{name}", self.world.declares(class, name)))
            }
            false => None,
        };
        let holder = holder.map(|class| format!("L{class};"));
        let ty = holder.as_deref().unwrap_or(ty);
        let value = self.make(ty, Rule::Copy, vec![Operand::Place(place.clone(), false)]);
        if let Some(local) = value.local()
            && ty.starts_with(['L', '['])
        {
            self.comes_from(local, place);
        }
        value
    }

    /// The object that holds the static fields of a class.
    pub(super) fn statics(&mut self, class: &str, field: &str) -> Value {
        let declared = self.world.declares(class, field);
        let ty = self.tables.class(declared);
        let local = self.local(None, ty);
        let name = names::dotted(declared);
        self.spelled.insert(local, name.clone());
        self.assign(Place::local(local), Rule::Copy, vec![Operand::Static(name)]);
        self.value(local)
    }
}
