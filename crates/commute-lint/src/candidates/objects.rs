//! Which objects a function uses, by the way to them from a parameter or a
//! static variable.
//!
//! Locals are looked at without regard to order: compilers give a new local to
//! every borrow, and one that means two objects means none. What a function
//! that is called does counts as if it stood there, one call deep.

use rustc_hash::FxHashMap;

use crate::candidates::order::Order;
use crate::ir::{
    Callee, Effect, FieldId, Function, FunctionId, Local, Operand, Operation, Place, Program, Rule,
    Site, Statement, Step, TypeKind,
};

/// Where the way to an object begins.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// At a parameter.
    Parameter(Local),
    /// At a static variable.
    Static(String),
}

/// The way to an object. Pointers and locks on it do not count.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Object {
    /// Where it begins.
    pub root: Root,
    /// The fields it goes through.
    pub fields: Vec<FieldId>,
}

/// The block and the statement that took a lock.
pub(super) type Guard = (usize, usize);

/// What a local means: an object, and the lock that is held for it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Reached {
    object: Object,
    guard: Option<Guard>,
}

impl Reached {
    fn new(root: Root) -> Reached {
        let fields = Vec::new();
        Reached {
            object: Object { root, fields },
            guard: None,
        }
    }
}

/// An operation that a function performs.
#[derive(Clone, Debug)]
pub(super) struct Performed {
    pub(super) object: Object,
    pub(super) guard: Option<Guard>,
    pub(super) name: String,
    pub(super) operation: Operation,
    pub(super) site: Site,
    pub(super) block: usize,
    pub(super) statement: usize,
    pub(super) through: Option<FunctionId>,
    /// How many operations of the same name on the same object come before it
    /// in one turn of the function that performs it itself.
    pub(super) rank: usize,
}

impl Performed {
    /// Whether another operation may come after this one in the same turn of all
    /// loops.
    pub(super) fn comes_before(&self, other: &Performed, order: &Order<'_>) -> bool {
        let (own, others) = (self.statement, other.statement);
        if self.block != other.block {
            order.leads_to(self.block, other.block)
        } else if own == others {
            // Both by one call.
            self.rank < other.rank
        } else {
            own < others
        }
    }
}

/// What a function does to what its caller knows.
#[derive(Clone, Default, Debug)]
pub(super) struct Summary {
    pub(super) performed: Vec<Performed>,
    result: Option<Reached>,
}

/// The same of all functions, each with what it calls.
pub(super) fn summaries(program: &Program) -> Vec<Summary> {
    let of = |known: &[Summary]| -> Vec<Summary> {
        let functions = program.functions.iter();
        functions.map(|f| summary(program, f, known)).collect()
    };
    let alone = of(&[]);
    of(&alone)
}

fn summary(program: &Program, function: &Function, known: &[Summary]) -> Summary {
    let mut objects = Objects {
        program,
        function,
        known,
        locals: FxHashMap::default(),
        held: FxHashMap::default(),
    };
    for local in 1..=function.parameters {
        let local = Local(local);
        let reached = Reached::new(Root::Parameter(local));
        objects.locals.insert(local, Some(reached));
    }
    let order = Order::of(function);
    // A second time for what goes round a loop.
    for _ in 0..2 {
        for &block in &order.blocks {
            for (at, (statement, _)) in function.blocks[block].statements.iter().enumerate() {
                objects.learn(statement, (block, at));
            }
        }
    }
    let mut performed = Vec::new();
    for &block in &order.blocks {
        for (at, (statement, site)) in function.blocks[block].statements.iter().enumerate() {
            objects.perform(statement, *site, (block, at), &mut performed);
        }
    }
    for at in 0..performed.len() {
        let (earlier, later) = performed.split_at_mut(at);
        let one = &mut later[0];
        let same = |other: &&Performed| other.object == one.object && other.name == one.name;
        if one.through.is_none() {
            let before = { earlier.iter() }.filter(|other| other.through.is_none());
            let before = before
                .filter(same)
                .filter(|other| other.comes_before(one, &order));
            one.rank = before.map(|other| other.rank + 1).max().unwrap_or(0);
        }
    }
    Summary {
        performed,
        result: objects.locals.remove(&Local(0)).flatten(),
    }
}

struct Objects<'p> {
    program: &'p Program,
    function: &'p Function,
    known: &'p [Summary],
    /// `None` if it means several.
    locals: FxHashMap<Local, Option<Reached>>,
    /// Where coroutines keep what they need after they have waited.
    held: FxHashMap<Object, Reached>,
}

impl Objects<'_> {
    fn reached(&self, place: &Place) -> Option<Reached> {
        let mut reached = self.locals.get(&place.local)?.clone()?;
        for step in &place.steps {
            match step {
                Step::Deref => {}
                Step::Field(field) => reached.object.fields.push(*field),
                // Two elements are two objects.
                Step::Element(_) => return None,
            }
            if let Some(held) = self.held.get(&reached.object) {
                reached = held.clone();
            }
        }
        Some(reached)
    }

    fn of(&self, operand: Option<&Operand>) -> Option<Reached> {
        match operand? {
            Operand::Place(place, _) => self.reached(place),
            Operand::Static(name) => Some(Reached::new(Root::Static(name.clone()))),
            Operand::Constant(_) => None,
        }
    }

    fn learn(&mut self, statement: &Statement, here: Guard) {
        let (to, value) = match statement {
            Statement::Assign { to, rule, from, .. } => match rule {
                Rule::Copy | Rule::Borrow => (to, self.of(from.first())),
                _ => (to, None),
            },
            Statement::Call {
                to,
                callee,
                arguments,
            } => (to, self.result(to, callee, arguments, here)),
            Statement::Drop(_) => return,
        };
        if !to.steps.is_empty() {
            if let (Some(place), Some(value)) = (self.reached(to), value)
                && place.object != value.object
                && self.is_of_closure(&place.object)
            {
                self.held.insert(place.object, value);
            }
            return;
        }
        let Some(value) = value else {
            if let Some(before) = self.locals.get_mut(&to.local) {
                *before = None;
            }
            return;
        };
        let entry = self.locals.entry(to.local);
        let before = entry.or_insert_with(|| Some(value.clone()));
        if before.as_ref() != Some(&value) {
            *before = None;
        }
    }

    fn is_of_closure(&self, object: &Object) -> bool {
        let field = object.fields.first();
        let field = field.and_then(|field| self.program.fields.get(field.index()));
        field.is_some_and(|field| field.class.starts_with('{'))
    }

    fn result(
        &self,
        to: &Place,
        callee: &Callee,
        arguments: &[Operand],
        here: Guard,
    ) -> Option<Reached> {
        let effect = match callee {
            Callee::Library { effect, .. } => effect,
            Callee::Functions(functions) => {
                let [function] = functions.as_slice() else {
                    return None;
                };
                let result = self.known.get(function.index())?.result.as_ref()?;
                return self.in_caller(&result.object, result.guard, arguments, here);
            }
        };
        let first = || self.of(arguments.first());
        match effect {
            Effect::Same | Effect::Poll(_) => first(),
            Effect::Acquire(_) => Some(Reached {
                guard: Some(here),
                ..first()?
            }),
            // The guard comes back.
            Effect::Wait => arguments
                .iter()
                .filter_map(|argument| self.of(Some(argument)))
                .find(|reached| reached.guard.is_some()),
            // `map_err` of a guard that may be poisoned.
            Effect::Apply | Effect::Parallel { .. } | Effect::Unknown => {
                let ty = self.function.locals.get(to.local.index())?.ty;
                let kind = self.program.types.get(ty.index())?.kind;
                first().filter(|reached| reached.guard.is_some() && kind == TypeKind::Guard)
            }
            _ => None,
        }
    }

    /// What an object of a function that is called here is to us.
    fn in_caller(
        &self,
        object: &Object,
        guard: Option<Guard>,
        arguments: &[Operand],
        here: Guard,
    ) -> Option<Reached> {
        let mut reached = match &object.root {
            Root::Parameter(local) => self.of(arguments.get(local.index() - 1))?,
            Root::Static(_) => {
                let (object, guard) = (object.clone(), guard.map(|_| here));
                return Some(Reached { object, guard });
            }
        };
        reached.object.fields.extend(&object.fields);
        reached.guard = guard.map(|_| here).or(reached.guard);
        Some(reached)
    }

    fn perform(
        &self,
        statement: &Statement,
        site: Site,
        here: Guard,
        performed: &mut Vec<Performed>,
    ) {
        let Statement::Call {
            callee, arguments, ..
        } = statement
        else {
            return;
        };
        let operation = |reached: Reached, name: &str, operation: &Operation| Performed {
            object: reached.object,
            guard: reached.guard,
            name: name.to_owned(),
            operation: operation.clone(),
            site,
            block: here.0,
            statement: here.1,
            through: None,
            rank: 0,
        };
        match callee {
            Callee::Library {
                name,
                effect: Effect::Operation(done),
            } => {
                if let Some(reached) = self.of(arguments.first()) {
                    performed.push(operation(reached, name, done));
                }
            }
            Callee::Functions(functions) => {
                let [function] = functions.as_slice() else {
                    return;
                };
                let known = self.known.get(function.index());
                for inner in known.into_iter().flat_map(|summary| &summary.performed) {
                    let reached = self.in_caller(&inner.object, inner.guard, arguments, here);
                    performed.extend(reached.map(|reached| Performed {
                        through: Some(*function),
                        rank: inner.rank,
                        ..operation(reached, &inner.name, &inner.operation)
                    }));
                }
            }
            Callee::Library { .. } => {}
        }
    }
}
