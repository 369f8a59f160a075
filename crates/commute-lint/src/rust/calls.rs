//! Calls: of functions that are looked at, of closures, of libraries.

use crate::ir::{
    self, Callee, Effect, FunctionId, Local, Operand, Place, Rule, Site, Statement, Step,
};
use crate::rust::atomic;
use crate::rust::body::Lower;
use crate::rust::library::{self, Known};
use crate::rust::mir::syntax as mir;
use crate::rust::text::{last, path, plain, referent};

impl Lower<'_, '_> {
    pub(crate) fn call(
        &mut self,
        to: &mir::Place,
        function: &mir::Function,
        arguments: &[mir::Operand],
    ) -> Statement {
        let to = self.place(to);
        let arguments: Vec<Operand> = arguments
            .iter()
            .map(|argument| self.operand(argument))
            .collect();
        let mir::Function::Path(text) = function else {
            let callee = Callee::Library {
                name: "a function pointer".to_owned(),
                effect: Effect::Unknown,
            };
            return Statement::Call {
                to,
                callee,
                arguments,
            };
        };
        let called = path(text);
        if atomic::runs_closure(&called) {
            for argument in &arguments {
                if let Some(body) = self.body_of(argument) {
                    self.program.atomic.runs(body);
                }
            }
        }
        let calls_closure = matches!(
            called.name.as_str(),
            "call" | "call_mut" | "call_once" | "async_call" | "async_call_mut" | "async_call_once"
        );
        if calls_closure {
            if let Some((body, arguments)) = self.called_closure(&arguments) {
                return Statement::Call {
                    to,
                    callee: Callee::Functions(vec![body]),
                    arguments,
                };
            }
        } else {
            let found = self.program.functions.find(self.krate, &called);
            if !found.is_empty() {
                let closures = self.closures(&arguments);
                let found = found
                    .into_iter()
                    .map(|id| self.program.instances.of_arguments(id, &closures))
                    .collect();
                return Statement::Call {
                    to,
                    callee: Callee::Functions(found),
                    arguments,
                };
            }
        }
        let closures: Vec<usize> = arguments
            .iter()
            .enumerate()
            .filter(|(_, argument)| self.can_be_called(argument))
            .map(|(at, _)| at)
            .collect();
        let result = match to.steps.is_empty() {
            true => self.types.get(to.local.index()).cloned(),
            false => None,
        };
        let result = result.unwrap_or_default();
        let known = match library::known(&called, &closures) {
            // What is made of a future runs when it is awaited.
            Known::Effect(Effect::Apply | Effect::Unknown)
                if library::is_adaptor(&result) && self.takes_future(&arguments) =>
            {
                Known::Effect(Effect::Wrap)
            }
            // A future in a box.
            Known::Effect(Effect::Unknown) if called.name.starts_with("spawn") => {
                let number = arguments.iter().position(|one| self.is_awaitable(one));
                Known::Effect(number.map_or(Effect::Unknown, Effect::Spawn))
            }
            Known::Effect(Effect::Poll(_)) => {
                let body = self.program.functions.closure(referent(&called.of));
                Known::Effect(Effect::Poll(body))
            }
            known => known,
        };
        match known {
            // The lock is taken when the future is ready, not when it is made.
            Known::Effect(Effect::Acquire(_)) if library::is_future(&result) => Statement::Call {
                to,
                callee: Callee::Library {
                    name: called.name.clone(),
                    effect: Effect::Same,
                },
                arguments,
            },
            Known::Effect(_) if called.name == "poll" && library::is_guard(&result) => {
                let lock = self.awaited(&arguments);
                Statement::Call {
                    to,
                    callee: Callee::Library {
                        name: "await".to_owned(),
                        effect: Effect::Acquire(library::mode_of(&result)),
                    },
                    arguments: lock,
                }
            }
            Known::Make => Statement::Assign {
                to,
                rule: Rule::New,
                from: Vec::new(),
                fields: Vec::new(),
            },
            Known::Effect(effect) => {
                let class = plain(referent(&called.of));
                let name = match last(&class) {
                    "" => called.name.clone(),
                    class => format!("{class}::{}", called.name),
                };
                Statement::Call {
                    to,
                    callee: Callee::Library { name, effect },
                    arguments,
                }
            }
        }
    }

    /// What a future that is polled waits for: `poll` is given its address.
    fn awaited(&mut self, arguments: &[Operand]) -> Vec<Operand> {
        let Some(Operand::Place(future, _)) = arguments.first() else {
            return arguments.to_vec();
        };
        let mut future = future.clone();
        future.steps.push(Step::Deref);
        let local = Local(self.function.locals.len() as u32);
        let ty = self.program.ty("&()");
        self.function.locals.push(ir::Variable { name: None, ty });
        self.types.push("&()".to_owned());
        let made = Statement::Assign {
            to: Place::local(local),
            rule: Rule::Copy,
            from: vec![Operand::Place(future, false)],
            fields: Vec::new(),
        };
        self.before.push((made, Site::UNKNOWN));
        vec![Operand::Place(Place::local(local), true)]
    }

    /// `f.call((x, y))` if it is known what `f` is: the body, and `f, x, y`.
    fn called_closure(&mut self, arguments: &[Operand]) -> Option<(FunctionId, Vec<Operand>)> {
        let [Operand::Place(closure, gone), Operand::Place(tuple, _)] = arguments else {
            return None;
        };
        if !closure.steps.is_empty() || !tuple.steps.is_empty() {
            return None;
        }
        let local = self.function.locals.get(closure.local.index())?;
        let body = *self.program.bodies.get(&local.ty)?;
        let ty = self.types.get(closure.local.index())?.clone();
        let is_closure = ["{closure@", "{async closure@"]
            .iter()
            .any(|start| referent(&ty).starts_with(start));
        let parameters = self.program.parameters(body)?.to_vec();
        let mut spread = Vec::new();
        if is_closure {
            // A closure that only looks is called through a reference, even
            // where it is given away.
            let by_reference = parameters.first()?.starts_with('&');
            spread.push(match by_reference && !ty.starts_with('&') {
                true => self.borrowed(closure, &ty),
                false => Operand::Place(closure.clone(), *gone),
            });
        }
        for at in 0..parameters.len() - usize::from(is_closure) {
            let field = self.program.field("(", at as u32, false);
            let mut place = tuple.clone();
            place.steps.push(Step::Field(field));
            spread.push(Operand::Place(place, true));
        }
        Some((body, spread))
    }

    /// A new local that points to a place.
    fn borrowed(&mut self, place: &Place, ty: &str) -> Operand {
        let local = Local(self.function.locals.len() as u32);
        let ty = format!("&{ty}");
        let id = self.program.ty(&ty);
        self.function
            .locals
            .push(ir::Variable { name: None, ty: id });
        self.types.push(ty);
        let made = Statement::Assign {
            to: Place::local(local),
            rule: Rule::Borrow,
            from: vec![Operand::Place(place.clone(), false)],
            fields: Vec::new(),
        };
        self.before.push((made, Site::UNKNOWN));
        Operand::Place(Place::local(local), true)
    }

    /// The arguments that can be called, with their types.
    fn closures(&self, arguments: &[Operand]) -> Vec<(usize, String)> {
        let all = arguments.iter().enumerate();
        all.filter(|(_, argument)| self.can_be_called(argument))
            .filter_map(|(at, argument)| match argument {
                Operand::Place(place, _) => {
                    let ty = self.types.get(place.local.index())?;
                    Some((at, ty.strip_prefix("ZeroSized: ").unwrap_or(ty).to_owned()))
                }
                _ => None,
            })
            .collect()
    }

    /// Whether one of the arguments is a future, or can be called.
    fn takes_future(&self, arguments: &[Operand]) -> bool {
        let mut arguments = arguments.iter();
        arguments.any(|argument| self.can_be_called(argument) || self.is_awaitable(argument))
    }

    fn is_awaitable(&self, argument: &Operand) -> bool {
        let Operand::Place(place, _) = argument else {
            return false;
        };
        let ty = self.types.get(place.local.index());
        place.steps.is_empty() && ty.is_some_and(|ty| library::is_future(ty))
    }

    fn can_be_called(&self, argument: &Operand) -> bool {
        self.body_of(argument).is_some()
    }

    /// What runs if this is called.
    fn body_of(&self, argument: &Operand) -> Option<FunctionId> {
        let Operand::Place(place, _) = argument else {
            return None;
        };
        let variable = self.function.locals.get(place.local.index())?;
        let bodies = &self.program.bodies;
        bodies
            .get(&variable.ty)
            .copied()
            .filter(|_| place.steps.is_empty())
    }
}
