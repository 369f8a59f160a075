//! The body of a function while it is made: its locals, the statements of the
//! block at hand, and what is known of the values in them.

use rustc_hash::FxHashMap;

use super::hierarchy::World;
use super::processes::Facts;
use super::tables::Tables;
use crate::ir::{
    Callee, Effect, FieldId, Local, Operand, Place, Rule, Site, Statement, Step, TypeId, Variable,
};

/// A value: where it is and what it is.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Value {
    /// A local, a constant or a static, never anything longer.
    pub(super) operand: Operand,
    pub(super) ty: TypeId,
    /// Whether it takes two slots.
    pub(super) wide: bool,
}

impl Value {
    /// The local that holds it, if one does.
    pub(super) fn local(&self) -> Option<Local> {
        match &self.operand {
            Operand::Place(place, _) if place.steps.is_empty() => Some(place.local),
            _ => None,
        }
    }
}

/// A body while it is made.
pub(super) struct Body<'w, 'a> {
    pub(super) world: &'w World<'a>,
    pub(super) tables: &'w mut Tables,
    pub(super) facts: &'w mut Facts,
    /// Which class the function is of.
    pub(super) class: usize,
    /// Its name, for gaps.
    pub(super) name: String,
    pub(super) locals: Vec<Variable>,
    /// The block at hand.
    pub(super) statements: Vec<(Statement, Site)>,
    /// The instruction at hand.
    pub(super) site: Site,
    /// Where temporaries of the block at hand were read from, and when.
    origins: FxHashMap<Local, (Place, u32)>,
    /// When variables got other values.
    changed: FxHashMap<Local, u32>,
    now: u32,
    /// Objects that are known by a name: of a static the base is another
    /// temporary each time.
    pub(super) spelled: FxHashMap<Local, String>,
    /// The guards of `java.util.concurrent` locks, by the spelled lock.
    pub(super) guards: FxHashMap<String, Local>,
    /// The results of `tryLock`, with their guards.
    pub(super) tried: FxHashMap<Local, Local>,
    /// The guards of the monitors that are held here, innermost last.
    pub(super) monitors: Vec<Local>,
    /// Whether the function runs once: it is `main`.
    pub(super) once: bool,
    /// Whether the instruction at hand is in a loop.
    pub(super) looped: bool,
    unit: Option<Local>,
}

impl<'w, 'a> Body<'w, 'a> {
    pub(super) fn new(
        world: &'w World<'a>,
        tables: &'w mut Tables,
        facts: &'w mut Facts,
        class: usize,
        name: String,
    ) -> Body<'w, 'a> {
        Body {
            world,
            tables,
            facts,
            class,
            name,
            locals: Vec::new(),
            statements: Vec::new(),
            site: Site::UNKNOWN,
            origins: FxHashMap::default(),
            changed: FxHashMap::default(),
            now: 0,
            spelled: FxHashMap::default(),
            guards: FxHashMap::default(),
            tried: FxHashMap::default(),
            monitors: Vec::new(),
            once: false,
            looped: false,
            unit: None,
        }
    }

    /// Something that was not understood here.
    pub(super) fn gap(&mut self, what: impl Into<String>) {
        let input = self.world.classes[self.class].input;
        let line = match self.site.line {
            0 => String::new(),
            line => format!(", line {line}"),
        };
        let place = format!("{input}: {}{line}", self.name);
        self.tables.gap(place, what);
    }

    /// A new local.
    pub(super) fn local(&mut self, name: Option<&str>, ty: TypeId) -> Local {
        let local = Local(self.locals.len() as u32);
        let name = name.map(str::to_owned);
        self.locals.push(Variable { name, ty });
        local
    }

    /// A new local for the result of an instruction.
    pub(super) fn temporary(&mut self, descriptor: &str) -> Local {
        let ty = self.tables.ty(descriptor);
        self.local(None, ty)
    }

    /// Where results go that nobody has.
    pub(super) fn nowhere(&mut self) -> Place {
        let local = match self.unit {
            Some(local) => local,
            None => self.temporary("V"),
        };
        self.unit = Some(local);
        Place::local(local)
    }

    /// What a local holds, as a value.
    pub(super) fn value(&self, local: Local) -> Value {
        let ty = self.locals[local.index()].ty;
        Value {
            operand: of(local),
            ty,
            wide: matches!(
                self.tables.types[ty.index()].name.as_str(),
                "long" | "double"
            ),
        }
    }

    /// A constant.
    pub(super) fn constant(&mut self, text: impl Into<String>, descriptor: &str) -> Value {
        Value {
            operand: Operand::Constant(text.into()),
            ty: self.tables.ty(descriptor),
            wide: super::names::is_wide(descriptor),
        }
    }

    /// The class of a value, as class files name it.
    pub(super) fn class_of(&self, value: &Value) -> String {
        self.tables.types[value.ty.index()].name.replace('.', "/")
    }

    pub(super) fn push(&mut self, statement: Statement) {
        self.statements.push((statement, self.site));
    }

    /// A place gets a value.
    pub(super) fn assign(&mut self, to: Place, rule: Rule, from: Vec<Operand>) {
        let fields = Vec::new();
        self.push(Statement::Assign {
            to,
            rule,
            from,
            fields,
        });
    }

    /// A new local gets a value.
    pub(super) fn make(&mut self, descriptor: &str, rule: Rule, from: Vec<Operand>) -> Value {
        let local = self.temporary(descriptor);
        self.assign(Place::local(local), rule, from);
        self.value(local)
    }

    /// A function of a library is called.
    pub(super) fn call(
        &mut self,
        to: Place,
        name: String,
        effect: Effect,
        arguments: Vec<Operand>,
    ) {
        self.push(Statement::Call {
            to,
            callee: Callee::Library { name, effect },
            arguments,
        });
    }

    /// The local that holds a value; a new one if none does.
    pub(super) fn held(&mut self, value: Value) -> Local {
        match value.local() {
            Some(local) => local,
            None => {
                let local = self.local(None, value.ty);
                self.assign(Place::local(local), Rule::Copy, vec![value.operand]);
                local
            }
        }
    }

    /// A field of the object a local points to.
    pub(super) fn field(&mut self, base: Local, class: &str, name: &str) -> Place {
        let declared = self.world.declares(class, name);
        let field = self.tables.field(declared, name);
        through(base, field)
    }

    /// How the object in a local is spelled. Spellings are equal for equal
    /// objects, as far as the block at hand shows.
    pub(super) fn spelling(&self, local: Local) -> String {
        let mut at = local;
        let mut rest = Vec::new();
        let start = loop {
            if let Some(spelled) = self.spelled.get(&at) {
                break spelled.clone();
            }
            let Some(origin) = self.origin(at) else {
                break format!("_{}", at.0);
            };
            rest.push(origin.steps.as_slice());
            at = origin.local;
        };
        let mut text = start;
        for step in rest.into_iter().rev().flatten() {
            text.push_str(&match step {
                Step::Deref => String::new(),
                Step::Field(field) => format!(".{}", field.0),
                Step::Element(Some(index)) => format!("[_{}]", index.0),
                Step::Element(None) => "[]".to_owned(),
            });
        }
        text
    }

    /// Notes that a temporary was read from a place.
    pub(super) fn comes_from(&mut self, local: Local, place: Place) {
        self.origins.insert(local, (place, self.now));
    }

    /// Where a temporary was read from, if that is still the same place.
    pub(super) fn origin(&self, local: Local) -> Option<&Place> {
        let (place, when) = self.origins.get(&local)?;
        let same = |local: &Local| self.changed.get(local).is_none_or(|at| at <= when);
        let indexes = |step: &Step| match step {
            Step::Element(Some(index)) => same(index),
            _ => true,
        };
        (same(&place.local) && place.steps.iter().all(indexes)).then_some(place)
    }

    /// A variable gets another value.
    pub(super) fn changes(&mut self, local: Local) {
        self.now += 1;
        self.changed.insert(local, self.now);
    }

    /// Another block begins: there, nothing is known of temporaries.
    pub(super) fn forget(&mut self) {
        self.origins.clear();
        self.spelled.clear();
    }
}

/// The operand that is a local.
pub(super) fn of(local: Local) -> Operand {
    Operand::Place(Place::local(local), false)
}

/// A field of the object a local points to.
pub(super) fn through(base: Local, field: FieldId) -> Place {
    Place {
        local: base,
        steps: vec![Step::Deref, Step::Field(field)],
    }
}
