//! From syntax trees to control flow graphs.

use std::collections::BTreeMap;

use super::Error;
use super::syntax::{Access, Call, Expression, Kind, Position, Program, Statement};
use super::types::{Body, THIS, Types, bodies, error};
use crate::ir::{
    self, Block, BlockId, Callee, FieldId, FileId, Function, FunctionId, Local, Operand, Place,
    Rule, Site, Step, Terminator, TypeId, TypeKind, Variable,
};

/// What sites call the text.
const FILE: &str = "program";

const SCALAR: TypeId = TypeId(0);

pub(super) fn lower(program: &Program) -> Result<ir::Program, Error> {
    let bodies = bodies(program);
    let types = Types::of(program, &bodies)?;
    let mut lowered = ir::Program {
        files: vec![FILE.to_owned()],
        types: vec![ir::Type {
            name: "value".to_owned(),
            kind: TypeKind::Scalar,
        }],
        ..ir::Program::default()
    };
    let mut fields = BTreeMap::new();
    let mut classes = BTreeMap::new();
    for class in &program.classes {
        for field in &class.fields {
            let id = FieldId(lowered.fields.len() as u32);
            fields.insert((class.name.as_str(), field.name.as_str()), id);
            lowered.fields.push(ir::Field {
                class: class.name.clone(),
                name: field.name.clone(),
            });
        }
        classes.insert(class.name.as_str(), TypeId(lowered.types.len() as u32));
        lowered.types.push(ir::Type {
            name: class.name.clone(),
            kind: TypeKind::Mutable,
        });
    }
    for (index, body) in bodies.iter().enumerate() {
        let lowering = Lowering {
            classes: &classes,
            bodies: &bodies,
            types: &types,
            fields: &fields,
            index,
            locals: Vec::new(),
            names: BTreeMap::new(),
            blocks: Vec::new(),
            current: Vec::new(),
        };
        lowered.functions.push(lowering.function(*body)?);
        if body.method.is_none() {
            lowered.processes.push(ir::Process {
                name: body.name.to_owned(),
                function: FunctionId(index as u32),
                several: true,
            });
        }
    }
    Ok(lowered)
}

struct Lowering<'a> {
    classes: &'a BTreeMap<&'a str, TypeId>,
    bodies: &'a [Body<'a>],
    types: &'a Types<'a>,
    fields: &'a BTreeMap<(&'a str, &'a str), FieldId>,
    /// Which body this is.
    index: usize,
    locals: Vec<Variable>,
    names: BTreeMap<&'a str, Local>,
    blocks: Vec<Block>,
    /// The statements of the block that is being made.
    current: Vec<(ir::Statement, Site)>,
}

fn site(at: Position) -> Site {
    Site {
        file: FileId(0),
        line: at.line,
        column: at.column,
    }
}

impl<'a> Lowering<'a> {
    fn function(mut self, body: Body<'a>) -> Result<Function, Error> {
        self.fresh(None);
        if body.method.is_some() {
            self.local(THIS);
        }
        for parameter in body.parameters() {
            if self.names.contains_key(parameter.name.as_str()) {
                let message = format!("parameter `{}` twice", parameter.name);
                return Err(error(parameter.at, message));
            }
            self.local(&parameter.name);
        }
        let parameters = self.locals.len() as u32 - 1;
        self.statements(body.statements)?;
        self.end(Terminator::Return, body.at);
        let class = body.class.map(|class| format!("{}.", class.name));
        Ok(Function {
            name: format!("{}{}", class.unwrap_or_default(), body.name),
            site: site(body.at),
            parameters,
            locals: self.locals,
            blocks: self.blocks,
            atomic: body.method.is_some_and(|method| method.atomic),
            public: false,
        })
    }

    fn fresh(&mut self, name: Option<&str>) -> Local {
        let class = name.and_then(|name| self.types.variable(self.index, name));
        let known = class.and_then(|class| self.classes.get(class).copied());
        self.locals.push(Variable {
            name: name.map(str::to_owned),
            ty: known.unwrap_or(SCALAR),
        });
        Local(self.locals.len() as u32 - 1)
    }

    fn local(&mut self, name: &'a str) -> Local {
        if let Some(local) = self.names.get(name) {
            return *local;
        }
        let local = self.fresh(Some(name));
        self.names.insert(name, local);
        local
    }

    /// Ends the current block, and says which it is.
    fn end(&mut self, terminator: Terminator, at: Position) -> BlockId {
        self.blocks.push(Block {
            statements: std::mem::take(&mut self.current),
            terminator,
            site: site(at),
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn next(&self) -> BlockId {
        BlockId(self.blocks.len() as u32)
    }

    fn redirect(&mut self, block: BlockId, to: Vec<BlockId>) {
        match &mut self.blocks[block.index()].terminator {
            Terminator::Goto(target) => *target = to[0],
            Terminator::Branch { targets, .. } => *targets = to,
            Terminator::Return | Terminator::Stop => {}
        }
    }

    fn push(&mut self, statement: ir::Statement, at: Position) {
        self.current.push((statement, site(at)));
    }

    fn statements(&mut self, body: &'a [Statement]) -> Result<(), Error> {
        body.iter().try_for_each(|it| self.statement(it))
    }

    fn statement(&mut self, it: &'a Statement) -> Result<(), Error> {
        let at = it.at;
        match &it.kind {
            Kind::Assign(x, e) => {
                let to = Place::local(self.local(x));
                self.assign(to, e, at);
            }
            Kind::HeapRead(x, access) => {
                let from = self.place(access, at)?;
                let to = Place::local(self.local(x));
                let from = vec![Operand::Place(from, false)];
                self.push(assign(to, Rule::Copy, from), at);
            }
            Kind::HeapWrite(access, e) => {
                let to = self.place(access, at)?;
                self.assign(to, e, at);
            }
            Kind::Allocation(x, class) => {
                self.types.class(class, at)?;
                let to = Place::local(self.local(x));
                self.push(assign(to, Rule::New, Vec::new()), at);
            }
            Kind::Call(to, call) => self.call(to.as_deref(), call, at)?,
            Kind::Conditional(e, then, otherwise) => {
                let on = self.operand(e, at);
                let targets = Vec::new();
                let branch = self.end(Terminator::Branch { on, targets }, at);
                let first = self.next();
                self.statements(then)?;
                let end_then = self.end(Terminator::Goto(branch), at);
                let second = self.next();
                self.statements(otherwise)?;
                let end_otherwise = self.end(Terminator::Goto(branch), at);
                let after = self.next();
                self.redirect(branch, vec![first, second]);
                self.redirect(end_then, vec![after]);
                self.redirect(end_otherwise, vec![after]);
            }
            Kind::Loop(e, body) => {
                let header = BlockId(self.next().0 + 1);
                self.end(Terminator::Goto(header), at);
                let on = self.operand(e, at);
                let targets = Vec::new();
                let branch = self.end(Terminator::Branch { on, targets }, at);
                let first = self.next();
                self.statements(body)?;
                self.end(Terminator::Goto(header), at);
                let after = self.next();
                self.redirect(branch, vec![first, after]);
            }
            Kind::Return(e) => {
                if let Some(e) = e {
                    self.assign(Place::local(Local(0)), e, at);
                }
                // What follows is there, but nothing leads to it.
                self.end(Terminator::Return, at);
            }
            Kind::Skip => {}
        }
        Ok(())
    }

    fn place(&mut self, access: &'a Access, at: Position) -> Result<Place, Error> {
        let (class, field) = self
            .types
            .field(self.index, &access.object, &access.field, at)?;
        let field = self.fields[&(class.name.as_str(), field.name.as_str())];
        let mut steps = vec![Step::Deref, Step::Field(field)];
        if let Some(index) = &access.index {
            let index = match self.operand(index, at) {
                Operand::Place(place, _) => Some(place.local),
                Operand::Constant(_) | Operand::Static(_) => None,
            };
            steps.push(Step::Element(index));
        }
        let local = self.local(&access.object);
        Ok(Place { local, steps })
    }

    fn assign(&mut self, to: Place, e: &'a Expression, at: Position) {
        let statement = match e {
            Expression::Variable(y) => {
                let from = Operand::Place(Place::local(self.local(y)), false);
                assign(to, Rule::Copy, vec![from])
            }
            Expression::Constant(text) => {
                assign(to, Rule::Copy, vec![Operand::Constant(text.clone())])
            }
            Expression::Binary(..) | Expression::Not(_) => {
                let variables = e.variables().into_iter();
                let from = variables.map(|y| Operand::Place(Place::local(self.local(y)), false));
                let from = from.collect();
                assign(to, Rule::Compute, from)
            }
        };
        self.push(statement, at);
    }

    /// What is computed gets a variable without a name.
    fn operand(&mut self, e: &'a Expression, at: Position) -> Operand {
        match e {
            Expression::Variable(y) => Operand::Place(Place::local(self.local(y)), false),
            Expression::Constant(text) => Operand::Constant(text.clone()),
            Expression::Binary(..) | Expression::Not(_) => {
                let to = Place::local(self.fresh(None));
                self.assign(to.clone(), e, at);
                Operand::Place(to, true)
            }
        }
    }

    fn call(&mut self, to: Option<&'a str>, call: &'a Call, at: Position) -> Result<(), Error> {
        let callee = self.types.callee(self.index, call, at)?;
        let wanted = self.bodies[callee].parameters().len();
        if wanted != call.arguments.len() {
            let (method, given) = (&call.method, call.arguments.len());
            let message = format!("`{method}` takes {wanted} arguments, not {given}");
            return Err(error(at, message));
        }
        let object = match call.object.as_deref() {
            Some(object) => Operand::Place(Place::local(self.local(object)), false),
            None if self.names.contains_key(THIS) => {
                Operand::Place(Place::local(self.local(THIS)), false)
            }
            None => Operand::Constant("null".to_owned()),
        };
        let mut arguments = vec![object];
        for argument in &call.arguments {
            let argument = self.operand(argument, at);
            arguments.push(argument);
        }
        let to = match to {
            Some(x) => self.local(x),
            None => self.fresh(None),
        };
        let statement = ir::Statement::Call {
            to: Place::local(to),
            callee: Callee::Functions(vec![FunctionId(callee as u32)]),
            arguments,
        };
        self.push(statement, at);
        Ok(())
    }
}

fn assign(to: Place, rule: Rule, from: Vec<Operand>) -> ir::Statement {
    ir::Statement::Assign {
        to,
        rule,
        from,
        fields: Vec::new(),
    }
}
