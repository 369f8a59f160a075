//! Objects: which specification each follows, and the order their own
//! synchronisation implies.

mod lifetimes;

use std::sync::Arc;

use commute_model::{Action, Id, MethodId, Names, ObjectId, ThreadId, TypeId};
use commute_spec::{CompiledSpecification, Invocation, Library, Specification, closest};

use crate::hb::HappensBefore;
use crate::messages::Messages;
use crate::order::{Initial, InitialStates, Look, Order, looked};
use crate::pass::EventError;
use lifetimes::Lifetimes;

pub(crate) use lifetimes::ObjectsAt;

/// The live objects of a trace.
#[derive(Clone, Debug)]
pub struct Objects {
    library: Arc<Library>,
    types: Vec<Option<Type>>,
    objects: Vec<Option<Object>>,
    lifetimes: Lifetimes,
    /// The inferred initial states of objects whose count the trace does not record.
    initial: Arc<InitialStates>,
    /// Whether actions that a rule counts conflict only by that rule.
    counts: bool,
    /// Whether an object that is gone was late.
    is_late: bool,
}

/// A specification and the methods of the trace that belong to it.
#[derive(Clone, Debug)]
struct Type {
    compiled: Arc<CompiledSpecification>,
    /// The argument in its name: 2 in `semaphore(2)`.
    argument: Option<u64>,
    messages: Messages,
    /// By [`MethodId`], as far as looked up.
    methods: Vec<Option<Found>>,
}

/// A method of a specification: its index, and how many arguments and results
/// it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    method: u16,
    args: u8,
    results: u8,
}

impl Found {
    /// Its index in the specification.
    pub(crate) fn index(self) -> usize {
        usize::from(self.method)
    }

    /// An action as an invocation of it, unless it does not fit.
    #[inline(always)]
    pub(crate) fn bind(self, action: &Action) -> Option<Invocation<'_>> {
        let arity = (usize::from(self.args), usize::from(self.results));
        Invocation::with_arity(self.index(), arity, action).ok()
    }
}

impl Type {
    #[inline]
    fn method(&mut self, id: MethodId, names: &Names) -> Option<Found> {
        match self.methods.get(id.index()) {
            Some(Some(found)) => Some(*found),
            _ => self.look_up(id, names),
        }
    }

    #[cold]
    fn look_up(&mut self, id: MethodId, names: &Names) -> Option<Found> {
        let name = names.methods.name(id).to_string();
        let method = self.compiled.specification.method(&name)?;
        let declared = &self.compiled.specification.methods[method];
        let found = Found {
            method: u16::try_from(method).ok()?,
            args: u8::try_from(declared.args.len()).ok()?,
            results: u8::try_from(declared.results.len()).ok()?,
        };
        if id.index() >= self.methods.len() {
            self.methods.resize(id.index() + 1, None);
        }
        self.methods[id.index()] = Some(found);
        Some(found)
    }
}

/// One object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What its type says.
    pub compiled: Arc<CompiledSpecification>,
    /// Where a `send` meets a receive, if it is a channel.
    pub(crate) messages: Messages,
    type_id: TypeId,
    pub(crate) initial: Initial,
    order: Order,
    alive: bool,
    /// Made by an event, and not only known beforehand.
    made: bool,
}

/// Something about an object that does not fit.
pub(crate) struct Misfit {
    /// The message and advice. Boxed, because it is part of every result and
    /// hardly ever there.
    said: Box<(String, String)>,
}

impl Misfit {
    fn new(message: String, help: String) -> Misfit {
        Misfit {
            said: Box::new((message, help)),
        }
    }

    /// The misfit of the event at this offset of a batch.
    pub(crate) fn at(self, offset: usize) -> EventError {
        let (message, help) = *self.said;
        EventError {
            offset,
            message,
            help: Some(help),
        }
    }
}

impl Objects {
    /// No object yet; types come from `library`.
    pub fn new(library: Arc<Library>) -> Objects {
        Objects {
            library,
            types: Vec::new(),
            objects: Vec::new(),
            lifetimes: Lifetimes::default(),
            initial: Arc::default(),
            counts: false,
            is_late: false,
        }
    }

    /// As [`new`](Self::new), but actions that a rule counts from the parameter of their
    /// type conflict only by that rule, also if the trace does not record the parameter.
    pub(crate) fn counting(library: Arc<Library>) -> Objects {
        Objects {
            counts: true,
            ..Objects::new(library)
        }
    }

    /// Objects that are declared from now on begin in these states.
    pub(crate) fn set_initial_states(&mut self, states: &Arc<InitialStates>) {
        self.initial = states.clone();
    }

    /// Whether a later action has shown a larger initial count than an earlier edge
    /// assumed: the trace has to be read again.
    pub(crate) fn is_late(&self) -> bool {
        self.is_late || { self.objects.iter().flatten() }.any(|object| object.order.is_late())
    }

    /// `new(o:type)` at this event, or 0 before the first.
    pub(crate) fn declare(
        &mut self,
        object: ObjectId,
        type_id: TypeId,
        index: u64,
        names: &Names,
    ) -> Result<(), Misfit> {
        if type_id.index() >= self.types.len() {
            self.types.resize_with(type_id.index() + 1, || None);
        }
        if self.types[type_id.index()].is_none() {
            let name = names.types.name(type_id).to_string();
            let compiled = if self.counts {
                self.library.counted(&name)
            } else {
                self.library.get(&name)
            };
            let Some(compiled) = compiled else {
                return Err(self.unknown_type(&name));
            };
            let messages = Messages::of(&compiled.specification, compiled.points());
            self.types[type_id.index()] = Some(Type {
                compiled,
                argument: commute_spec::type_argument(&name),
                messages,
                methods: Vec::new(),
            });
        }
        let found = self.types[type_id.index()]
            .as_ref()
            .expect("just looked up");
        if object.index() >= self.objects.len() {
            self.objects.resize_with(object.index() + 1, || None);
        }
        if let Some(before) = &self.objects[object.index()] {
            self.is_late |= before.order.is_late();
            if before.type_id != type_id {
                self.lifetimes.end(object, before.type_id, index);
            }
        }
        let initial = Initial::new(found.argument, self.initial.get(object, index));
        self.objects[object.index()] = Some(Object {
            compiled: found.compiled.clone(),
            messages: found.messages,
            type_id,
            order: Order::new(&found.compiled.specification, &initial),
            initial,
            alive: true,
            made: true,
        });
        Ok(())
    }

    /// `drop(o)`
    pub(crate) fn forget(&mut self, object: ObjectId) {
        if let Some(object) = self.objects.get_mut(object.index())
            && let Some(object) = object
        {
            self.is_late |= object.order.is_late();
            // The type stays, so that a late action is understood.
            object.order = object.new_order();
            object.alive = false;
        }
    }

    /// The types of all objects that were declared, in the order of their numbers.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &CompiledSpecification)> {
        let known = self.types.iter().enumerate();
        known.filter_map(|(place, found)| {
            let compiled = &*found.as_ref()?.compiled;
            Some((TypeId::from_index(place), compiled))
        })
    }

    /// The object, if it was declared.
    pub fn get(&self, object: ObjectId) -> Option<&Object> {
        self.objects.get(object.index())?.as_ref()
    }

    /// The object, if it was declared.
    pub(crate) fn get_mut(&mut self, object: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(object.index())?.as_mut()
    }

    /// Reads an action as an invocation of a method of its object's type; the
    /// object.
    #[inline(always)]
    pub(crate) fn bind<'a>(
        &mut self,
        action: &'a Action,
        names: &Names,
    ) -> Result<(Invocation<'a>, &mut Object), Misfit> {
        let Some(Some(object)) = self.objects.get_mut(action.object.index()) else {
            return Err(undeclared(action.object, names));
        };
        let found = self.types[object.type_id.index()].as_mut();
        let found = found.expect("an object has a type");
        let Some(method) = found.method(action.method, names) else {
            return Err(unknown_method(&found.compiled.specification, action, names));
        };
        let specification = &found.compiled.specification;
        let signature = (usize::from(method.args), usize::from(method.results));
        let method = usize::from(method.method);
        let bound = Invocation::with_arity(method, signature, action);
        let invocation = bound.map_err(|error| {
            let declared = &specification.methods[method];
            let (name, type_name) = (&declared.name, &specification.name);
            Misfit::new(
                format!("`{name}` of type `{type_name}` {error}"),
                format!("it is declared `{}`", declared.signature()),
            )
        })?;
        Ok((invocation, object))
    }

    /// The type of an action's object, and its method there. Nothing if there is more to
    /// know: the object is gone, it orders threads, or the method is new.
    pub(crate) fn known(&self, action: &Action) -> Option<(&CompiledSpecification, Found)> {
        let object = self.get(action.object)?;
        if !object.alive || object.orders() {
            return None;
        }
        let found = self.types.get(object.type_id.index())?.as_ref()?;
        let method = found.methods.get(action.method.index())?;
        Some((&found.compiled, (*method)?))
    }

    /// The object was there before the first event: its own `new` may follow.
    pub(crate) fn assume(&mut self, object: ObjectId) {
        if let Some(Some(object)) = self.objects.get_mut(object.index()) {
            object.made = false;
        }
    }

    /// Whether the object was made by an event and not dropped since.
    pub(crate) fn is_made(&self, object: ObjectId) -> bool {
        let object = self.get(object);
        object.is_some_and(|object| object.alive && object.made)
    }

    /// Whether the object is there: declared, and not dropped since.
    pub(crate) fn is_alive(&self, object: ObjectId) -> bool {
        self.get(object).is_some_and(|object| object.alive)
    }

    fn unknown_type(&self, name: &str) -> Misfit {
        if let Some((base, _)) = name.split_once('(')
            && let Some(specification) = self.library.specification(base)
        {
            let message = format!("`{name}` is no type");
            let help = match &specification.parameter {
                Some(parameter) => {
                    format!("`{base}({parameter})` takes a number, as in `{base}(2)`")
                }
                None => format!("`{base}` has no parameter"),
            };
            return Misfit::new(message, help);
        }
        let known: Vec<_> = self.library.names().collect();
        let help = match closest(name, known.iter().copied()) {
            Some(close) => format!("did you mean `{close}`? Others come with `--spec FILE`"),
            None => format!(
                "known types are {}; others come with `--spec FILE`",
                known.join(", ")
            ),
        };
        Misfit::new(format!("no specification for type `{name}`"), help)
    }
}

impl Object {
    /// The name of its type in the trace.
    pub fn type_id(&self) -> TypeId {
        self.type_id
    }

    /// Whether it was not dropped.
    #[inline]
    pub(crate) fn is_alive(&self) -> bool {
        self.alive
    }

    /// The order of an object in its initial state.
    pub(crate) fn new_order<K: Clone + Default + std::fmt::Debug>(&self) -> Order<K> {
        Order::new(&self.compiled.specification, &self.initial)
    }

    /// Whether its actions order threads.
    #[inline]
    pub(crate) fn orders(&self) -> bool {
        !self.order.is_none()
    }

    /// What an action found, if it looked for something.
    pub(crate) fn looked(&self, action: Invocation<'_>) -> Look {
        looked(&self.compiled.specification, action)
    }

    /// The order an action implies before it is checked: what its thread
    /// learns. The rest follows in [`after`](Self::after).
    pub(crate) fn before(&mut self, t: ThreadId, action: Invocation<'_>, hb: &mut HappensBefore) {
        let specification = &self.compiled.specification;
        self.order.before(t, action, specification, hb);
    }

    /// The order an action implies after it was checked: what it publishes.
    pub(crate) fn after(&mut self, t: ThreadId, action: Invocation<'_>, hb: &mut HappensBefore) {
        let specification = &self.compiled.specification;
        self.order.after(t, action, specification, hb);
    }
}

fn undeclared(object: ObjectId, names: &Names) -> Misfit {
    let name = names.objects.name(object);
    Misfit::new(
        format!("the type of object `{name}` is not declared"),
        format!(
            "declare it in the trace with `new({name}:TYPE)` or on the command line with `--object {name}=TYPE`"
        ),
    )
}

fn unknown_method(specification: &Specification, action: &Action, names: &Names) -> Misfit {
    let (method, name) = (names.methods.name(action.method), &specification.name);
    let known: Vec<_> = specification.methods.iter().map(|m| &m.name[..]).collect();
    Misfit::new(
        format!("type `{name}` has no method `{method}`"),
        format!("its methods are {}", known.join(", ")),
    )
}
