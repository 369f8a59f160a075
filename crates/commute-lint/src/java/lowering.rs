//! A method while it is lowered: its blocks, one after the other, with the stack
//! that each begins with.

use std::collections::BTreeSet;

use cafebabe::MethodAccessFlags;
use cafebabe::attributes::{AttributeData, CodeData};
use cafebabe::bytecode::ByteCode;
use rustc_hash::FxHashMap;

use super::body::{Body, Value, of};
use super::class::Class;
use super::closures::Sites;
use super::flow::Flow;
use super::frame::Frame;
use super::method::{At, Lowered, parameters};
use super::names;
use crate::ir::{Block, BlockId, FileId, Local, Operand, Place, Site, Statement, Terminator};

/// What a block begins with.
struct Begin {
    block: BlockId,
    stack: Vec<Value>,
    monitors: Vec<Local>,
}

/// A method while it is lowered.
pub(super) struct Lowering<'w, 'a> {
    pub(super) body: Body<'w, 'a>,
    pub(super) frame: Frame<'w, 'a>,
    pub(super) bytecode: &'w ByteCode<'a>,
    pub(super) flow: Option<Flow>,
    pub(super) sites: &'w Sites,
    pub(super) at: At,
    /// The guard of a `synchronized` method.
    pub(super) guard: Option<Local>,
    class: &'w Class<'a>,
    code: &'w CodeData<'a>,
    file: FileId,
    /// Offsets and the lines that begin there.
    pub(super) lines: Vec<(u16, u32)>,
    blocks: Vec<Option<Block>>,
    /// The block at hand; none after its end.
    current: Option<BlockId>,
    begins: FxHashMap<usize, Begin>,
    open: BTreeSet<usize>,
    thrown: Option<Local>,
}

impl<'w, 'a> Lowering<'w, 'a> {
    pub(super) fn new(
        body: Body<'w, 'a>,
        class: &'w Class<'a>,
        code: &'w CodeData<'a>,
        bytecode: &'w ByteCode<'a>,
        sites: &'w Sites,
        at: At,
        file: FileId,
    ) -> Lowering<'w, 'a> {
        let mut lines: Vec<(u16, u32)> = (code.attributes.iter())
            .filter_map(|attribute| match &attribute.data {
                AttributeData::LineNumberTable(lines) => Some(lines),
                _ => None,
            })
            .flatten()
            .map(|entry| (entry.start_pc, entry.line_number.into()))
            .collect();
        lines.sort_by_key(|(offset, _)| *offset);
        Lowering {
            body,
            frame: Frame::new(code),
            bytecode,
            flow: None,
            sites,
            at,
            guard: None,
            class,
            code,
            file,
            lines,
            blocks: Vec::new(),
            current: None,
            begins: FxHashMap::default(),
            open: BTreeSet::new(),
            thrown: None,
        }
    }

    pub(super) fn run(mut self) -> Result<Lowered, String> {
        let flow = Flow::new(self.code, self.bytecode)?;
        if self.bytecode.opcodes.is_empty() {
            return Err("it has no code".to_owned());
        }
        let parameters = self.head();
        self.seek(0);
        self.current = Some(self.block());
        if self.class.file.methods[self.at.method]
            .access_flags
            .contains(MethodAccessFlags::SYNCHRONIZED)
        {
            self.enter_method();
        }
        let again = flow.loops_to_start;
        self.flow = Some(flow);
        if again {
            let target = self.reach(0)?;
            self.finish(Terminator::Goto(target));
        } else {
            self.block_from(0)?;
        }
        while let Some(index) = self.open.pop_first() {
            let begin = &self.begins[&index];
            self.current = Some(begin.block);
            self.frame.stack = begin.stack.clone();
            self.body.monitors = begin.monitors.clone();
            self.body.forget();
            self.block_from(index)?;
        }
        let missing = || Block {
            statements: Vec::new(),
            terminator: Terminator::Stop,
            site: Site::UNKNOWN,
        };
        Ok(Lowered {
            parameters,
            locals: self.body.locals,
            blocks: (self.blocks.into_iter())
                .map(|block| block.unwrap_or_else(missing))
                .collect(),
        })
    }

    /// The result and the parameters.
    fn head(&mut self) -> u32 {
        let descriptor = &self.class.descriptors[self.at.method];
        self.body.temporary(names::signature(descriptor).1);
        let flags = self.class.file.methods[self.at.method].access_flags;
        let has_this = !flags.contains(MethodAccessFlags::STATIC);
        let parameters = parameters(self.class, self.at.method);
        let mut slot = 0u16;
        for (index, ty) in parameters.iter().enumerate() {
            let is_this = has_this && index == 0;
            self.frame.parameter(&mut self.body, slot, ty, is_this);
            slot = slot.saturating_add(1 + u16::from(names::is_wide(ty)));
        }
        parameters.len() as u32
    }

    /// A `synchronized` method enters its monitor first.
    fn enter_method(&mut self) {
        let flags = self.class.file.methods[self.at.method].access_flags;
        let object = match flags.contains(MethodAccessFlags::STATIC) {
            true => Operand::Static(format!("{}.class", names::dotted(self.class.name()))),
            false => of(Local(1)),
        };
        self.guard = Some(self.body.enter(object));
    }

    /// A `synchronized` method leaves its monitor last.
    pub(super) fn leave_method(&mut self) {
        if let Some(guard) = self.guard {
            self.body.push(Statement::Drop(Place::local(guard)));
        }
    }

    /// The instructions from one to the end of its block.
    fn block_from(&mut self, first: usize) -> Result<(), String> {
        self.seek(first);
        self.enter_ranges(first)?;
        let mut index = first;
        while self.current.is_some() {
            let Some((offset, opcode)) = self.bytecode.opcodes.get(index) else {
                return Err("it goes on after its last instruction".to_owned());
            };
            if index > first && self.begins_block(index) {
                let target = self.reach(index)?;
                self.finish(Terminator::Goto(target));
                return Ok(());
            }
            self.seek(index);
            self.instruction(index, *offset, opcode)?;
            index += 1;
        }
        Ok(())
    }

    pub(super) fn begins_block(&self, index: usize) -> bool {
        let flow = self.flow.as_ref();
        flow.is_some_and(|flow| flow.begins.get(index).copied().unwrap_or(false))
    }

    /// Handlers whose range begins here and throws nothing that is known of.
    fn enter_ranges(&mut self, index: usize) -> Result<(), String> {
        let flow = self.flow.as_ref();
        let Some(handlers) = flow.and_then(|flow| flow.entered.get(&index)).cloned() else {
            return Ok(());
        };
        // The handler begins with a stack of its own, this block goes on.
        let go_on = self.block();
        let mut targets = vec![go_on];
        for handler in handlers {
            targets.push(self.caught(handler)?);
        }
        self.finish(may_be_thrown(targets));
        self.current = Some(go_on);
        Ok(())
    }

    /// After a call: what it throws may be caught.
    pub(super) fn may_throw(&mut self, index: usize) -> Result<(), String> {
        let handlers = self.handlers(index);
        if handlers.is_empty() {
            return Ok(());
        }
        let mut targets = Vec::with_capacity(1 + handlers.len());
        let next = index + 1;
        let go_on = match self.begins_block(next) {
            true => self.reach(next)?,
            false => self.block(),
        };
        targets.push(go_on);
        for handler in handlers {
            targets.push(self.caught(handler)?);
        }
        self.finish(may_be_thrown(targets));
        if !self.begins_block(next) {
            self.current = Some(go_on);
        }
        Ok(())
    }

    pub(super) fn handlers(&self, index: usize) -> Vec<usize> {
        let flow = self.flow.as_ref();
        flow.map_or_else(Vec::new, |flow| flow.handlers(index))
    }

    /// The block of a handler, which begins with what was thrown.
    pub(super) fn caught(&mut self, handler: usize) -> Result<BlockId, String> {
        let thrown = self.thrown();
        let thrown = self.body.value(thrown);
        let stack = std::mem::replace(&mut self.frame.stack, vec![thrown]);
        let block = match self.begins.get(&handler) {
            Some(begin) if begin.stack.len() != 1 => {
                Err("a handler is also reached with another stack".to_owned())
            }
            Some(begin) => Ok(begin.block),
            None => Ok(self.open(handler)),
        };
        self.frame.stack = stack;
        block
    }

    /// The local for what is thrown.
    pub(super) fn thrown(&mut self) -> Local {
        match self.thrown {
            Some(local) => local,
            None => {
                let local = self.body.temporary("Ljava/lang/Throwable;");
                self.thrown = Some(local);
                local
            }
        }
    }

    /// The block of an instruction that this one goes to. The stack moves to
    /// where that block has it.
    pub(super) fn reach(&mut self, index: usize) -> Result<BlockId, String> {
        match self.begins.get(&index) {
            Some(begin) => {
                self.frame.spill(&mut self.body, Some(&begin.stack))?;
                Ok(begin.block)
            }
            None => {
                self.frame.spill(&mut self.body, None)?;
                Ok(self.open(index))
            }
        }
    }

    /// A block that nobody reached before begins with the stack as it is.
    fn open(&mut self, index: usize) -> BlockId {
        let block = self.block();
        let begin = Begin {
            block,
            stack: self.frame.stack.clone(),
            monitors: self.body.monitors.clone(),
        };
        self.begins.insert(index, begin);
        self.open.insert(index);
        block
    }

    /// A new block.
    pub(super) fn block(&mut self) -> BlockId {
        let id = BlockId(self.blocks.len() as u32);
        self.blocks.push(None);
        id
    }

    /// The block at hand ends.
    pub(super) fn finish(&mut self, terminator: Terminator) {
        let statements = std::mem::take(&mut self.body.statements);
        if let Some(block) = self.current.take() {
            self.blocks[block.index()] = Some(Block {
                statements,
                terminator,
                site: self.body.site,
            });
        }
    }

    /// A block on the way to another that gives up a guard.
    pub(super) fn detour(&mut self, guard: Local, target: BlockId) -> BlockId {
        let block = self.block();
        self.blocks[block.index()] = Some(Block {
            statements: vec![(Statement::Drop(Place::local(guard)), self.body.site)],
            terminator: Terminator::Goto(target),
            site: self.body.site,
        });
        block
    }

    fn seek(&mut self, index: usize) {
        let offset = self.bytecode.opcodes[index].0;
        let after = (self.lines).partition_point(|(start, _)| usize::from(*start) <= offset);
        if let Some((_, line)) = after.checked_sub(1).and_then(|at| self.lines.get(at)) {
            self.body.site = Site {
                file: self.file,
                line: *line,
                column: 0,
            };
        }
    }
}

/// What comes after a call: the next instruction, or a handler. No value
/// decides that.
fn may_be_thrown(targets: Vec<BlockId>) -> Terminator {
    let on = Operand::Constant("thrown".to_owned());
    Terminator::Branch { on, targets }
}
