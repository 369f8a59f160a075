//! Instructions that end a block: jumps, switches, `return`, `throw`.

use cafebabe::bytecode::Opcode;

use super::body::Value;
use super::flow;
use super::instruction::operands;
use super::lowering::Lowering;
use crate::ir::{Local, Operand, Place, Rule, Terminator};

impl Lowering<'_, '_> {
    /// Jumps, switches, returns, `throw`.
    pub(super) fn jump(&mut self, index: usize, opcode: &Opcode<'_>) -> Result<bool, String> {
        use Opcode::*;
        match opcode {
            Goto(_) => {
                let bytecode = self.bytecode;
                for target in flow::targets(bytecode, index)? {
                    let target = self.reach(target)?;
                    self.finish(Terminator::Goto(target));
                }
            }
            IfAcmpeq(_) | IfAcmpne(_) | IfIcmpeq(_) | IfIcmpge(_) | IfIcmpgt(_) | IfIcmple(_)
            | IfIcmplt(_) | IfIcmpne(_) => {
                let from = operands(self.frame.pop_many(2)?);
                let on = self.body.make("Z", Rule::Compute, from);
                self.branch(index, on.operand, None)?;
            }
            Ifeq(_) | Ifge(_) | Ifgt(_) | Ifle(_) | Iflt(_) | Ifne(_) | Ifnonnull(_)
            | Ifnull(_) => {
                let on = self.frame.pop()?;
                let guard = on
                    .local()
                    .and_then(|local| self.body.tried.get(&local).copied());
                let failed = guard.map(|guard| (guard, usize::from(!matches!(opcode, Ifeq(_)))));
                self.branch(index, on.operand, failed)?;
            }
            Lookupswitch(_) | Tableswitch(_) => {
                let on = self.frame.pop()?.operand;
                let mut targets = Vec::new();
                let bytecode = self.bytecode;
                for target in flow::targets(bytecode, index)? {
                    targets.push(self.reach(target)?);
                }
                self.finish(Terminator::Branch { on, targets });
            }
            Areturn | Dreturn | Freturn | Ireturn | Lreturn => {
                let value = self.frame.pop()?;
                let to = Place::local(Local(0));
                self.body.assign(to, Rule::Copy, vec![value.operand]);
                self.leave_method();
                self.finish(Terminator::Return);
            }
            Return => {
                self.leave_method();
                self.finish(Terminator::Return);
            }
            Athrow => {
                let value = self.frame.pop()?;
                self.throw(index, value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A conditional jump: to its target, then to the next instruction. `failed`
    /// says on which of the two ways a guard was not got.
    fn branch(
        &mut self,
        index: usize,
        on: Operand,
        failed: Option<(Local, usize)>,
    ) -> Result<(), String> {
        let bytecode = self.bytecode;
        let mut ways = flow::targets(bytecode, index)?;
        if index + 1 >= bytecode.opcodes.len() {
            return Err("it goes on after its last instruction".to_owned());
        }
        ways.push(index + 1);
        let mut targets = Vec::with_capacity(2);
        for way in ways {
            targets.push(self.reach(way)?);
        }
        if let Some((guard, way)) = failed
            && targets.len() == 2
        {
            targets[way] = self.detour(guard, targets[way]);
        }
        self.finish(Terminator::Branch { on, targets });
        Ok(())
    }

    fn throw(&mut self, index: usize, value: Value) -> Result<(), String> {
        let handlers = self.handlers(index);
        if handlers.is_empty() {
            self.leave_method();
            // `throw new …` is a way out like others, which the program chose.
            // What only goes on, after `finally` or `synchronized`, is not.
            let chosen = (index.checked_sub(1)).is_some_and(|before| {
                matches!(
                    self.bytecode.opcodes[before].1,
                    Opcode::Invokespecial(_) | Opcode::Invokestatic(_) | Opcode::Invokevirtual(_)
                )
            });
            self.finish(match chosen {
                true => Terminator::Return,
                false => Terminator::Stop,
            });
            return Ok(());
        }
        let thrown = self.thrown();
        if value.local() != Some(thrown) {
            let from = vec![value.operand];
            self.body.assign(Place::local(thrown), Rule::Copy, from);
        }
        let mut targets = Vec::with_capacity(handlers.len());
        for handler in handlers {
            targets.push(self.caught(handler)?);
        }
        self.finish(match targets.as_slice() {
            [target] => Terminator::Goto(*target),
            _ => Terminator::Branch {
                on: Operand::Constant("thrown".to_owned()),
                targets,
            },
        });
        Ok(())
    }
}
