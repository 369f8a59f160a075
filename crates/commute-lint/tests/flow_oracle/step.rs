//! What each statement does.

use commute_lint::ir::{
    Callee, Effect, FieldId, Operand, Place, Rule, Statement, Step, Terminator,
};

use crate::machine::{Address, Code, Data, Machine, Value, frame};
use crate::taint::Taint;
use crate::truth::Truth;

impl Machine {
    /// Runs a thread up to its next acquisition or atomic operation; `first`
    /// is done in any case.
    pub(crate) fn advance(
        &mut self,
        code: &Code<'_>,
        truth: &mut Truth,
        thread: usize,
        mut first: bool,
    ) {
        while !self.threads[thread].is_done() && (first || self.visible(code, thread).is_none()) {
            first = false;
            self.threads[thread].fuel -= 1;
            self.step(code, truth, thread);
        }
    }

    /// The lock or atomic that the next statement is about, if others see it.
    fn visible(&self, code: &Code<'_>, thread: usize) -> Option<(FieldId, bool)> {
        let frame = self.threads[thread].frames.last()?;
        let block = &code.program.function(frame.function).blocks[frame.block];
        let (statement, _) = block.statements.get(frame.next)?;
        let Statement::Call {
            callee: Callee::Library { effect, .. },
            arguments,
            ..
        } = statement
        else {
            return None;
        };
        let lock = match effect {
            Effect::Acquire(_) => true,
            Effect::Operation(_) => false,
            _ => return None,
        };
        let Operand::Place(place, _) = &arguments[0] else {
            return None;
        };
        match &frame.locals[place.local.index()].data {
            Data::Pointer(Address::Member(field)) => Some((*field, lock)),
            _ => None,
        }
    }

    /// Whether it can go on.
    pub(crate) fn is_enabled(&self, code: &Code<'_>, thread: usize) -> bool {
        !self.threads[thread].is_done()
            && self
                .visible(code, thread)
                .is_none_or(|(field, lock)| !lock || !self.locks.contains_key(&field))
    }

    fn step(&mut self, code: &Code<'_>, truth: &mut Truth, thread: usize) {
        let Some(at) = self.threads[thread].frames.len().checked_sub(1) else {
            return;
        };
        let (function, block, next) = {
            let frame = &self.threads[thread].frames[at];
            (frame.function, frame.block, frame.next)
        };
        let body = &code.program.function(function).blocks[block];
        if let Some((statement, site)) = body.statements.get(next) {
            self.statement(code, truth, thread, statement, site.line);
            // A call has put its frame above; this one goes on behind it.
            self.threads[thread].frames[at].next += 1;
            return;
        }
        let target = match &body.terminator {
            Terminator::Goto(target) => *target,
            Terminator::Branch { on, targets } => {
                let on = self.operand(thread, on);
                let until = code.postdominators[function.index()][block];
                self.threads[thread].frames[at]
                    .control
                    .push((on.taint.clone(), until));
                targets[self.choice(on.number() as usize, targets.len())]
            }
            Terminator::Return => {
                let Some(frame) = self.threads[thread].frames.pop() else {
                    return;
                };
                if let Some((to, _)) = frame.to {
                    self.assign(code, truth, thread, &to, frame.locals[0].clone());
                }
                return;
            }
            Terminator::Stop => unreachable!("no program stops"),
        };
        let frame = &mut self.threads[thread].frames[at];
        frame.control.retain(|(_, until)| *until != Some(target));
        (frame.block, frame.next) = (target.index(), 0);
        self.decided(thread);
    }

    /// The branches that led here are others now.
    fn decided(&mut self, thread: usize) {
        let mut all = Taint::default();
        for taint in self.control(thread) {
            all.add(&taint.implicit());
        }
        if let Some(frame) = self.threads[thread].frames.last_mut() {
            frame.implicit = all;
        }
    }

    fn statement(
        &mut self,
        code: &Code<'_>,
        truth: &mut Truth,
        thread: usize,
        statement: &Statement,
        line: u32,
    ) {
        match statement {
            Statement::Assign { to, rule, from, .. } => {
                let value = match (rule, &from[0]) {
                    (Rule::Borrow, Operand::Place(place, _)) => {
                        Value::new(Data::Pointer(self.address(thread, place)))
                    }
                    _ => self.computed(code, thread, from),
                };
                self.assign(code, truth, thread, to, value);
            }
            Statement::Call {
                to,
                callee: Callee::Functions(functions),
                arguments,
            } => {
                let arguments = arguments
                    .iter()
                    .map(|argument| self.operand_read(code, thread, argument))
                    .collect();
                let frame = frame(code, functions[0], arguments, Some((to.clone(), line)));
                self.threads[thread].frames.push(frame);
                self.decided(thread);
            }
            Statement::Call {
                to,
                callee: Callee::Library { name, effect },
                arguments,
            } => {
                let value = match effect {
                    Effect::Acquire(_) => self.acquire(code, thread, &arguments[0]),
                    Effect::Same if name.contains("deref") => self.deref(thread, &arguments[0]),
                    Effect::Same => self.operand(thread, &arguments[0]),
                    Effect::Release => {
                        let guard = self.operand(thread, &arguments[0]);
                        self.release(thread, &guard);
                        Value::new(Data::None)
                    }
                    Effect::Operation(operation) => {
                        self.operation(code, truth, thread, operation, arguments)
                    }
                    _ => unreachable!("no program has {effect:?}"),
                };
                self.assign(code, truth, thread, to, value);
            }
            Statement::Drop(place) => {
                let guard = self.operand(thread, &Operand::Place(place.clone(), true));
                self.release(thread, &guard);
            }
        }
    }

    /// The sum of the operands.
    fn computed(&mut self, code: &Code<'_>, thread: usize, from: &[Operand]) -> Value {
        let mut sum = self.operand_read(code, thread, &from[0]);
        for operand in &from[1..] {
            let other = self.operand_read(code, thread, operand);
            sum.data = Data::Number((sum.number() + other.number()).rem_euclid(4));
            sum.taint.add(&other.taint);
        }
        sum
    }

    fn address(&self, thread: usize, place: &Place) -> Address {
        let frames = &self.threads[thread].frames;
        let mut address = Address::Local(frames.len() - 1, place.local);
        for step in &place.steps {
            address = match (step, address) {
                (Step::Deref, Address::Local(frame, local)) => {
                    match &frames[frame].locals[local.index()].data {
                        Data::Pointer(address) => address.clone(),
                        other => unreachable!("{other:?} is no pointer"),
                    }
                }
                (Step::Field(field), Address::Object) => Address::Member(*field),
                (Step::Field(field), Address::Content(lock)) => {
                    Address::Variable((lock, Some(*field)))
                }
                (step, address) => unreachable!("{step:?} of {address:?}"),
            };
        }
        address
    }

    /// The value of an operand that is a constant or a local.
    pub(crate) fn operand(&mut self, thread: usize, operand: &Operand) -> Value {
        match operand {
            Operand::Place(Place { local, .. }, gone) => {
                let frames = &mut self.threads[thread].frames;
                let Some(frame) = frames.last_mut() else {
                    return Value::new(Data::None);
                };
                let slot = &mut frame.locals[local.index()];
                let value = slot.clone();
                if *gone {
                    slot.data = Data::None;
                }
                value
            }
            Operand::Constant(text) => {
                let digits: String = text.chars().filter(char::is_ascii_digit).collect();
                // `const 3_i32`: the type's digits come last.
                let number = digits
                    .strip_suffix("32")
                    .and_then(|number| number.parse().ok());
                Value::new(number.map_or(Data::None, Data::Number))
            }
            Operand::Static(name) => unreachable!("no program has {name}"),
        }
    }

    /// The value of an operand that may be shared memory.
    fn operand_read(&mut self, code: &Code<'_>, thread: usize, operand: &Operand) -> Value {
        if let Operand::Place(place, _) = operand
            && let Address::Variable(variable) = self.address(thread, place)
        {
            let region = self.region(thread, variable.0);
            return self.read(code, thread, variable, region, false);
        }
        self.operand(thread, operand)
    }

    fn assign(
        &mut self,
        code: &Code<'_>,
        truth: &mut Truth,
        thread: usize,
        to: &Place,
        mut value: Value,
    ) {
        match self.address(thread, to) {
            Address::Local(at, local) => {
                let frames = &mut self.threads[thread].frames;
                if let Some(frame) = frames.last() {
                    value.taint.add(&frame.implicit);
                }
                frames[at].locals[local.index()] = value;
            }
            Address::Variable(variable) => {
                let region = self.region(thread, variable.0);
                self.write(code, truth, thread, variable, region, value, None);
            }
            address => unreachable!("{address:?} is not assigned to"),
        }
    }
}
