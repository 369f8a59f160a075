//! What statements do, in the words of the core language (MoTH, Figure 2):
//! variables get values that come from variables.
//!
//! Deviations: a write to an element, through a library or through a
//! reference that may stand for several variables does not replace earlier
//! versions. What a constructor of Java writes to its object is no access: the
//! paper's `x := new C` has no constructors, and nobody else has the object yet.

use super::variables::{Global, Variable, Variables};
use crate::ir::{
    Callee, FunctionId, Local, Operand, Place, Program, Rule, Site, Statement, Step, Terminator,
    TypeKind,
};

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub(crate) variable: Variable,
    /// Whether nothing is left of what it held.
    pub(crate) whole: bool,
    /// Whether it is a field of an object that is still being made.
    pub(crate) new: bool,
}

/// One step of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// Variables get a value that comes from others.
    Define(Vec<Target>, Vec<Variable>),
    /// A global variable is read at an index, at a key or with arguments.
    Use(Global, Vec<Variable>),
    /// A method is called.
    Call {
        to: Vec<Target>,
        callees: Vec<FunctionId>,
        arguments: Vec<Vec<Variable>>,
    },
    /// Values are arguments of one call of a library.
    Together(Vec<Variable>),
}

/// An action, where it is in the source, and which statement it is of.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) action: Action,
    pub(crate) site: Site,
    pub(crate) statement: usize,
}

/// The actions of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Actions {
    pub(crate) steps: Vec<Moment>,
    /// What the branch at the end depends on.
    pub(crate) condition: Vec<Variable>,
}

/// The actions of a function, by block.
pub(crate) fn actions(
    program: &Program,
    variables: &Variables,
    function: FunctionId,
) -> Vec<Actions> {
    let reader = Reader {
        program,
        variables,
        function,
    };
    let blocks = &program.function(function).blocks;
    let block = |block: &crate::ir::Block| {
        let mut actions = Actions::default();
        for (index, (statement, site)) in block.statements.iter().enumerate() {
            let steps = reader.statement(statement).into_iter();
            actions.steps.extend(steps.map(|action| Moment {
                action,
                site: *site,
                statement: index,
            }));
        }
        if let Terminator::Branch { on, .. } = &block.terminator {
            actions.condition = reader.reads(on);
        }
        actions
    };
    blocks.iter().map(block).collect()
}

/// The object, in a method.
const THIS: Local = Local(1);

pub(super) struct Reader<'a> {
    pub(super) program: &'a Program,
    variables: &'a Variables,
    pub(super) function: FunctionId,
}

impl Reader<'_> {
    pub(super) fn kind(&self, place: &Place) -> TypeKind {
        let variable = &self.program.function(self.function).locals[place.local.index()];
        let ty = self.program.types.get(variable.ty.index());
        ty.map_or(TypeKind::Other, |ty| ty.kind)
    }

    /// The variables that a place is.
    fn place(&self, place: &Place) -> Vec<Variable> {
        let globals = self.variables.globals(self.function, place);
        if globals.is_empty() {
            return vec![Variable::Local(place.local)];
        }
        globals.into_iter().map(Variable::Global).collect()
    }

    fn indices<'a>(&self, place: &'a Place) -> impl Iterator<Item = Variable> + 'a {
        place.steps.iter().filter_map(|step| match step {
            Step::Element(Some(index)) => Some(Variable::Local(*index)),
            _ => None,
        })
    }

    /// What the value of an operand comes from.
    pub(super) fn reads(&self, operand: &Operand) -> Vec<Variable> {
        match operand {
            Operand::Place(place, _) => {
                let mut found = self.place(place);
                found.extend(self.indices(place));
                found
            }
            Operand::Constant(_) | Operand::Static(_) => Vec::new(),
        }
    }

    pub(super) fn targets(&self, place: &Place) -> Vec<Target> {
        let variables = self.place(place);
        let element = place.steps.iter().any(|s| matches!(s, Step::Element(_)));
        let whole = variables.len() == 1 && !element;
        let new = self
            .program
            .function(self.function)
            .name
            .ends_with(".<init>");
        let target = |variable| Target {
            variable,
            whole: whole && (matches!(variable, Variable::Global(_)) || place.steps.is_empty()),
            new: new && place.local == THIS,
        };
        let mut targets: Vec<Target> = variables.into_iter().map(target).collect();
        if place.steps.contains(&Step::Deref) {
            targets.extend(self.pointed_to(place.local));
        }
        targets
    }

    /// Locals that are written through a reference.
    pub(super) fn pointed_to(&self, reference: Local) -> impl Iterator<Item = Target> {
        let locals = self.variables.pointees(self.function, reference);
        locals.iter().map(|local| part(Variable::Local(*local)))
    }

    /// What an operand refers to.
    pub(super) fn behind(&self, operand: &Operand) -> Vec<Global> {
        match operand {
            Operand::Place(place, _) if place.steps.is_empty() => {
                self.variables.behind(self.function, place.local).to_vec()
            }
            Operand::Place(place, _) => self.variables.globals(self.function, place),
            Operand::Static(name) => self.variables.of_static(name).into_iter().collect(),
            Operand::Constant(_) => Vec::new(),
        }
    }

    fn statement(&self, statement: &Statement) -> Vec<Action> {
        match statement {
            Statement::Assign { to, rule, from, .. } => {
                let mut actions = Vec::new();
                let mut sources = Vec::new();
                for operand in from {
                    match operand {
                        Operand::Place(place, _) => {
                            let indices: Vec<Variable> = self.indices(place).collect();
                            match rule {
                                // An address is no value of what is there.
                                Rule::Borrow => {
                                    sources.push(Variable::Local(place.local));
                                    sources.extend(&indices);
                                }
                                _ => sources.extend(self.reads(operand)),
                            }
                            if !indices.is_empty() {
                                let globals = self.variables.globals(self.function, place);
                                let globals = globals.into_iter();
                                actions.extend(globals.map(|g| Action::Use(g, indices.clone())));
                            }
                        }
                        Operand::Constant(_) | Operand::Static(_) => {}
                    }
                }
                sources.extend(self.indices(to));
                actions.push(Action::Define(self.targets(to), sources));
                actions
            }
            Statement::Call {
                to,
                callee: Callee::Functions(callees),
                arguments,
            } => {
                let arguments = arguments.iter().map(|argument| self.reads(argument));
                vec![Action::Call {
                    to: self.targets(to),
                    callees: callees.clone(),
                    arguments: arguments.collect(),
                }]
            }
            Statement::Call {
                to,
                callee: Callee::Library { effect, .. },
                arguments,
            } => self.library(to, effect, arguments),
            Statement::Drop(_) => Vec::new(),
        }
    }
}

/// A part of a variable is written.
pub(super) fn part(variable: Variable) -> Target {
    Target {
        variable,
        whole: false,
        new: false,
    }
}
