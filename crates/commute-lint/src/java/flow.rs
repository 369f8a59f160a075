//! The control flow of a method: where blocks begin, and which handlers catch
//! what an instruction throws.

use std::collections::BTreeMap;

use cafebabe::attributes::CodeData;
use cafebabe::bytecode::{ByteCode, Opcode};

/// Where blocks begin, and who catches what. Instructions are named by their
/// index.
pub(super) struct Flow {
    /// Whether a block begins at an instruction.
    pub(super) begins: Vec<bool>,
    /// Whether somebody jumps to the first instruction.
    pub(super) loops_to_start: bool,
    /// The first and the last instruction of each jump back.
    loops: Vec<(usize, usize)>,
    ranges: Vec<Range>,
    /// Handlers that can only be reached from where their range begins,
    /// because nothing in it is known to throw.
    pub(super) entered: BTreeMap<usize, Vec<usize>>,
}

struct Range {
    from: usize,
    to: usize,
    handler: usize,
    catches_all: bool,
}

impl Flow {
    pub(super) fn new(code: &CodeData<'_>, bytecode: &ByteCode<'_>) -> Result<Flow, String> {
        let count = bytecode.opcodes.len();
        let mut flow = Flow {
            begins: vec![false; count],
            loops_to_start: false,
            loops: Vec::new(),
            ranges: Vec::with_capacity(code.exception_table.len()),
            entered: BTreeMap::new(),
        };
        for (index, (_, opcode)) in bytecode.opcodes.iter().enumerate() {
            for target in targets(bytecode, index)? {
                flow.begins[target] = true;
                flow.loops_to_start |= target == 0;
                if target <= index {
                    flow.loops.push((target, index));
                }
            }
            if ends(opcode) && index + 1 < count {
                flow.begins[index + 1] = true;
            }
        }
        for entry in &code.exception_table {
            // Ranges may end after the last instruction.
            let at = |offset: u16| match usize::from(offset) {
                offset if offset == code.code.len() => Some(count),
                offset => bytecode.get_opcode_index(offset),
            };
            let range = Range {
                from: at(entry.start_pc).ok_or("a handler's range begins nowhere")?,
                to: at(entry.end_pc).ok_or("a handler's range ends nowhere")?,
                handler: (bytecode.get_opcode_index(entry.handler_pc.into()))
                    .ok_or("a handler is nowhere")?,
                catches_all: entry.catch_type.is_none(),
            };
            flow.begins[range.handler] = true;
            flow.loops_to_start |= range.handler == 0;
            let throws = (range.from..range.to).any(|index| may_throw(&bytecode.opcodes[index].1));
            // What `finally` does without an exception is in the code twice,
            // so such handlers may stay out of reach.
            if !throws && !range.catches_all && range.from < range.to {
                flow.begins[range.from] = true;
                let handlers = flow.entered.entry(range.from).or_default();
                handlers.push(range.handler);
            }
            flow.ranges.push(range);
        }
        Ok(flow)
    }

    /// Whether an instruction is in a loop.
    pub(super) fn is_looped(&self, index: usize) -> bool {
        let mut loops = self.loops.iter();
        loops.any(|(first, last)| (*first..=*last).contains(&index))
    }

    /// The handlers that may catch what an instruction throws, in order, up to
    /// the first that catches everything.
    pub(super) fn handlers(&self, index: usize) -> Vec<usize> {
        let mut handlers = Vec::new();
        for range in &self.ranges {
            if !(range.from..range.to).contains(&index) {
                continue;
            }
            if !handlers.contains(&range.handler) {
                handlers.push(range.handler);
            }
            if range.catches_all {
                break;
            }
        }
        handlers
    }
}

/// Calls and `throw` are what exceptions are taken to come from. Field
/// accesses and divisions throw as well, but who catches that does not mean it.
fn may_throw(opcode: &Opcode<'_>) -> bool {
    matches!(
        opcode,
        Opcode::Athrow
            | Opcode::Invokedynamic(_)
            | Opcode::Invokeinterface(..)
            | Opcode::Invokespecial(_)
            | Opcode::Invokestatic(_)
            | Opcode::Invokevirtual(_)
    )
}

/// Whether a block ends with the instruction.
fn ends(opcode: &Opcode<'_>) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Areturn | Dreturn | Freturn | Ireturn | Lreturn | Return | Athrow | Ret(_)
    ) || !jumps(opcode).is_empty()
}

/// The offsets that an instruction may jump to, from itself. Of a conditional
/// jump that is one; the other way is the next instruction.
fn jumps(opcode: &Opcode<'_>) -> Vec<i32> {
    use Opcode::*;
    match opcode {
        Goto(to) | IfAcmpeq(to) | IfAcmpne(to) | IfIcmpeq(to) | IfIcmpge(to) | IfIcmpgt(to)
        | IfIcmple(to) | IfIcmplt(to) | IfIcmpne(to) | Ifeq(to) | Ifge(to) | Ifgt(to)
        | Ifle(to) | Iflt(to) | Ifne(to) | Ifnonnull(to) | Ifnull(to) | Jsr(to) => vec![*to],
        Lookupswitch(table) => {
            let mut all: Vec<i32> = table.match_offsets.iter().map(|(_, to)| *to).collect();
            all.push(table.default);
            all
        }
        Tableswitch(table) => {
            let mut all = table.jumps.clone();
            all.push(table.default);
            all
        }
        _ => Vec::new(),
    }
}

/// The instructions that an instruction may jump to, each once.
pub(super) fn targets(bytecode: &ByteCode<'_>, index: usize) -> Result<Vec<usize>, String> {
    let (offset, opcode) = &bytecode.opcodes[index];
    let mut targets = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for jump in jumps(opcode) {
        let target = i64::try_from(*offset)
            .unwrap_or(i64::MAX)
            .saturating_add(jump.into());
        let target = usize::try_from(target).ok();
        let target = target.and_then(|target| bytecode.get_opcode_index(target));
        let target = target.ok_or("a jump goes nowhere")?;
        if seen.insert(target) {
            targets.push(target);
        }
    }
    Ok(targets)
}
