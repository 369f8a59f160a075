//! A body of MIR becomes a function.

use std::collections::BTreeMap;

use crate::ir::{
    self, BlockId, FieldId, Local, Operand, Place, Rule, Site, Statement, Step, Terminator,
};
use crate::rust::library;
use crate::rust::lower::Lowering;
use crate::rust::mir::syntax as mir;
use crate::rust::text::{is_type_parameter, last, path, plain, referent};

/// A body while it is lowered.
pub(crate) struct Lower<'l, 'a> {
    pub(crate) program: &'l mut Lowering<'a>,
    pub(crate) krate: &'l str,
    pub(crate) types: Vec<String>,
    pub(crate) function: ir::Function,
    /// Statements that prepare the present one.
    pub(crate) before: Vec<(Statement, Site)>,
    /// The local that points to a coroutine's state.
    pub(crate) state: Option<u32>,
    /// Variables that a coroutine keeps while it waits, by variant and number.
    /// They are nobody else's: locals as any other.
    pub(crate) kept: BTreeMap<(String, u32), Local>,
}

pub(crate) fn lower(
    program: &mut Lowering<'_>,
    krate: &str,
    body: &mir::Body,
    mut function: ir::Function,
) -> ir::Function {
    let count = body
        .locals
        .iter()
        .map(|decl| decl.local.0 as usize + 1)
        .max()
        .unwrap_or(0)
        .max(body.parameters.len() + 1);
    let mut types = vec![String::new(); count];
    types[0].clone_from(&body.result);
    for (at, ty) in body.parameters.iter().enumerate() {
        types[at + 1].clone_from(ty);
    }
    for decl in &body.locals {
        types[decl.local.0 as usize].clone_from(&decl.ty);
    }
    let names: BTreeMap<u32, &str> = body
        .names
        .iter()
        .filter(|(_, place)| place.steps.is_empty())
        .map(|(name, place)| (place.local.0, name.as_str()))
        .collect();
    function.locals = types
        .iter()
        .enumerate()
        .map(|(at, ty)| ir::Variable {
            name: names.get(&(at as u32)).map(|name| (*name).to_owned()),
            ty: program.ty(ty),
        })
        .collect();
    let mut lower = Lower {
        program,
        krate,
        types,
        function,
        before: Vec::new(),
        state: state(body),
        kept: BTreeMap::new(),
    };
    for block in &body.blocks {
        let block = lower.block(block);
        lower.function.blocks.push(block);
    }
    lower.function
}

/// The local of a coroutine that its first block makes point to its state.
fn state(body: &mir::Body) -> Option<u32> {
    if !body.parameters.first()?.contains("Pin<&mut {") {
        return None;
    }
    let statements = &body.blocks.first()?.statements;
    statements
        .iter()
        .find_map(|(statement, _)| match statement {
            mir::Statement::Assign(to, mir::Value::Use(mir::Operand::Copy(from)))
                if to.steps.is_empty()
                    && from.local.0 == 1
                    && matches!(from.steps.as_slice(), [mir::Step::Field(0, _)]) =>
            {
                Some(to.local.0)
            }
            _ => None,
        })
}

/// The states of a coroutine before it, returned and panicked, are others.
const WAITS: u32 = 3;

impl Lower<'_, '_> {
    /// Whether this is the first block of a coroutine.
    fn begins(&self) -> bool {
        self.state.is_some() && self.function.blocks.is_empty()
    }

    /// The local that a variable of a coroutine's state is, and its type.
    fn kept(&mut self, place: &mir::Place) -> Option<(Local, String)> {
        if Some(place.local.0) != self.state {
            return None;
        }
        let [
            mir::Step::Deref,
            mir::Step::Downcast(variant),
            mir::Step::Field(number, ty),
            ..,
        ] = place.steps.as_slice()
        else {
            return None;
        };
        let key = (variant.clone(), *number);
        if let Some(local) = self.kept.get(&key) {
            return Some((*local, ty.clone()));
        }
        let local = Local(self.function.locals.len() as u32);
        let id = self.program.ty(ty);
        self.function
            .locals
            .push(ir::Variable { name: None, ty: id });
        self.types.push(ty.clone());
        self.kept.insert(key, local);
        Some((local, ty.clone()))
    }

    fn site(&mut self, span: Option<&mir::Span>) -> Site {
        match span {
            Some(span) => Site {
                file: self.program.file(&span.file),
                line: span.line,
                column: span.column,
            },
            None => Site::UNKNOWN,
        }
    }

    fn block(&mut self, block: &mir::Block) -> ir::Block {
        let mut statements = Vec::new();
        let mut state = None;
        for (statement, span) in &block.statements {
            let site = self.site(span.as_ref());
            if let mir::Statement::SetDiscriminant(_, variant) = statement {
                state = Some(*variant);
            }
            if let Some(statement) = self.statement(statement) {
                statements.extend(self.before.drain(..).map(|(before, _)| (before, site)));
                statements.push((statement, site));
            }
        }
        let site = self.site(block.span.as_ref());
        let terminator = if block.cleanup {
            statements.clear();
            Terminator::Stop
        } else {
            self.terminator(&block.terminator, site, state, &mut statements)
        };
        ir::Block {
            statements,
            terminator,
            site,
        }
    }

    fn statement(&mut self, statement: &mir::Statement) -> Option<Statement> {
        let mir::Statement::Assign(to, value) = statement else {
            return None;
        };
        let to_place = self.place(to);
        let mut fields = Vec::new();
        let (rule, from) = match value {
            mir::Value::Use(operand) | mir::Value::Cast(operand, _) => {
                (Rule::Copy, vec![self.operand(operand)])
            }
            mir::Value::Repeat(operand) => (Rule::Aggregate, vec![self.operand(operand)]),
            mir::Value::Ref(_, place) => {
                let place = self.place(place);
                (Rule::Borrow, vec![Operand::Place(place, false)])
            }
            mir::Value::Compute(_, operands) => (
                Rule::Compute,
                operands
                    .iter()
                    .map(|operand| self.operand(operand))
                    .collect(),
            ),
            mir::Value::Discriminant(place) => {
                let place = self.place(place);
                (Rule::Discriminant, vec![Operand::Place(place, false)])
            }
            mir::Value::Aggregate(name, parts) => {
                let operands: Vec<Operand> = parts
                    .iter()
                    .map(|(_, operand)| self.operand(operand))
                    .collect();
                // A coroutine is made by its place in the source, and used by
                // the name of its function. An async closure is made as any.
                let of_closure = ["{coroutine@", "{closure@"]
                    .iter()
                    .any(|start| name.starts_with(start));
                let made = match of_closure && to_place.steps.is_empty() {
                    true => self.types.get(to_place.local.index()),
                    false => None,
                };
                let class = match made {
                    Some(ty) if ty.starts_with('{') => ty.clone(),
                    _ => plain(name),
                };
                let variant = class.rsplit_once("::").map_or("", |(of, _)| of);
                let wrapper = library::is_transparent(variant) || library::is_transparent(&class);
                if wrapper && operands.len() == 1 {
                    (Rule::Copy, operands)
                } else if wrapper || operands.is_empty() {
                    (Rule::Aggregate, operands)
                } else {
                    let class = if name.is_empty() { "(" } else { &class };
                    for at in 0..operands.len() as u32 {
                        fields.push(self.program.field(class, at, false));
                    }
                    (Rule::Aggregate, operands)
                }
            }
        };
        Some(Statement::Assign {
            to: to_place,
            rule,
            from,
            fields,
        })
    }

    pub(crate) fn place(&mut self, place: &mir::Place) -> Place {
        if let Some((local, ty)) = self.kept(place) {
            return self.along(local, ty, &place.steps[3..]);
        }
        let ty = self.types.get(place.local.0 as usize).cloned();
        self.along(Local(place.local.0), ty.unwrap_or_default(), &place.steps)
    }

    /// The place that is reached from a local of this type.
    fn along(&mut self, local: Local, mut ty: String, way: &[mir::Step]) -> Place {
        let mut variant: Option<String> = None;
        let mut steps = Vec::with_capacity(way.len());
        for step in way {
            match step {
                mir::Step::Deref => {
                    steps.push(Step::Deref);
                    ty = pointee(&ty);
                }
                mir::Step::Downcast(name) => variant = Some(name.clone()),
                mir::Step::Field(number, field_ty) => {
                    if let Some(field) = self.field_of(&ty, variant.take(), *number, field_ty) {
                        steps.push(Step::Field(field));
                    }
                    ty.clone_from(field_ty);
                }
                mir::Step::Index(local) => {
                    steps.push(Step::Element(Some(Local(local.0))));
                    ty = element(&ty);
                }
                mir::Step::Constant => {
                    steps.push(Step::Element(None));
                    ty = element(&ty);
                }
            }
        }
        Place { local, steps }
    }

    fn field_of(
        &mut self,
        ty: &str,
        variant: Option<String>,
        number: u32,
        field_ty: &str,
    ) -> Option<FieldId> {
        let class = plain(referent(ty));
        if library::is_transparent(&class) {
            return None;
        }
        let shared = is_shared_pointer(field_ty);
        if !class.starts_with(['{', '(', '[']) {
            self.program.has(&class, field_ty);
        }
        let field = match variant {
            Some(variant) => {
                let class = format!("{class}::{variant}");
                self.program.field(&class, number, shared)
            }
            None if class.starts_with('(') => self.program.field("(", number, shared),
            None => self.program.field(&class, number, shared),
        };
        if is_type_parameter(field_ty) && !class.starts_with(['{', '(', '[']) {
            self.program.wraps(field);
        }
        Some(field)
    }

    pub(crate) fn operand(&mut self, operand: &mir::Operand) -> Operand {
        match operand {
            mir::Operand::Copy(place) => {
                let ty = self.types.get(place.local.0 as usize);
                // Optimised MIR copies what it does not need any more.
                let gone = place.steps.is_empty() && ty.is_some_and(|ty| library::is_guard(ty));
                Operand::Place(self.place(place), gone)
            }
            mir::Operand::Move(place) => Operand::Place(self.place(place), true),
            mir::Operand::Constant(text) | mir::Operand::Function(text) => self.constant(text),
        }
    }

    pub(crate) fn constant(&mut self, text: &str) -> Operand {
        if let Some(rest) = text.strip_prefix("{alloc") {
            let end = rest.find([':', '}', '+']).unwrap_or(rest.len());
            let name = format!("alloc{}", rest[..end].trim());
            if let Some(name) = self.program.static_of(self.krate, &name) {
                return Operand::Static(name);
            }
        }
        let ty = text.strip_prefix("ZeroSized: ").unwrap_or(text);
        let body = if ty.starts_with('{') {
            self.program.functions.closure(ty)
        } else if ty.contains("::") || ty.chars().next().is_some_and(|c| c.is_ascii_lowercase()) {
            let found = self.program.functions.find(self.krate, &path(ty));
            found.first().copied()
        } else {
            None
        };
        let Some(body) = body else {
            return Operand::Constant(text.to_owned());
        };
        // A function as a value: a local that knows its body.
        let ty = self.program.ty(ty);
        self.program.bodies.insert(ty, body);
        let local = Local(self.function.locals.len() as u32);
        self.function.locals.push(ir::Variable { name: None, ty });
        self.types.push(text.to_owned());
        let made = Statement::Assign {
            to: Place::local(local),
            rule: Rule::New,
            from: Vec::new(),
            fields: Vec::new(),
        };
        self.before.push((made, Site::UNKNOWN));
        Operand::Place(Place::local(local), false)
    }

    fn terminator(
        &mut self,
        terminator: &mir::Terminator,
        site: Site,
        state: Option<u32>,
        statements: &mut Vec<(Statement, Site)>,
    ) -> Terminator {
        let goto = |block: &mir::BlockId| Terminator::Goto(BlockId(block.0));
        match terminator {
            mir::Terminator::Goto(target)
            | mir::Terminator::Assert(_, target)
            | mir::Terminator::Yield(_, target) => goto(target),
            // A coroutine begins at its begin: where it waited is behind that.
            mir::Terminator::Switch(_, targets) if self.begins() => match targets.first() {
                Some((_, target)) => goto(target),
                None => Terminator::Stop,
            },
            mir::Terminator::Switch(on, targets) => {
                let on = self.operand(on);
                statements.extend(self.before.drain(..).map(|(before, _)| (before, site)));
                Terminator::Branch {
                    on,
                    targets: targets
                        .iter()
                        .map(|(_, target)| BlockId(target.0))
                        .collect(),
                }
            }
            // What a coroutine waits for comes; that it waits decides nothing.
            mir::Terminator::Return => match state.filter(|_| self.state.is_some()) {
                Some(WAITS..) => Terminator::Stop,
                _ => Terminator::Return,
            },
            mir::Terminator::Stop => Terminator::Stop,
            mir::Terminator::Drop(place, target) => {
                let place = self.place(place);
                statements.push((Statement::Drop(place), site));
                goto(target)
            }
            mir::Terminator::Call {
                to,
                function,
                arguments,
                target,
            } => {
                let call = self.call(to, function, arguments);
                statements.extend(self.before.drain(..).map(|(before, _)| (before, site)));
                statements.push((call, site));
                match target {
                    Some(target) => goto(target),
                    None => Terminator::Stop,
                }
            }
            mir::Terminator::Asm(targets) => match targets.as_slice() {
                [] => Terminator::Stop,
                [target] => goto(target),
                targets => Terminator::Branch {
                    on: Operand::Constant(String::new()),
                    targets: targets.iter().map(|target| BlockId(target.0)).collect(),
                },
            },
        }
    }
}

fn pointee(ty: &str) -> String {
    let ty = ty.trim();
    if let Some(inside) = ty
        .strip_prefix("std::boxed::Box<")
        .or_else(|| ty.strip_prefix("alloc::boxed::Box<"))
    {
        return inside.trim_end_matches('>').to_owned();
    }
    let once = ty
        .strip_prefix('&')
        .or_else(|| ty.strip_prefix("*const "))
        .or_else(|| ty.strip_prefix("*mut "))
        .unwrap_or(ty);
    if once.starts_with('&') {
        return once.to_owned();
    }
    let once = match once.strip_prefix('\'') {
        Some(rest) => rest.split_once(' ').map_or(rest, |(_, rest)| rest),
        None => once,
    };
    once.strip_prefix("mut ").unwrap_or(once).to_owned()
}

fn element(ty: &str) -> String {
    let inside = ty.trim_start_matches('[');
    inside
        .split(';')
        .next()
        .unwrap_or(inside)
        .trim_end_matches(']')
        .to_owned()
}

fn is_shared_pointer(ty: &str) -> bool {
    let class = plain(ty);
    ty.starts_with('&') && !ty.contains("mut ")
        || matches!(last(&class), "Arc" | "Weak")
        || (last(&class) == "Option" && ty.contains("Arc<"))
}
