//! Runs two threads, and knows of every value on which reads it depends.
//!
//! Numbers count modulo 4, a computation is the sum of its operands, a branch
//! goes to the target with the number of its operand. A thread stops in front
//! of every acquisition and every atomic operation: nothing between two of them
//! can be seen by the other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use commute_lint::ir::{BlockId, FieldId, FunctionId, Local, Place, Program};

use crate::random::Numbers;
use crate::taint::Taint;

/// A shared variable: the lock or the atomic, and the field of its content.
pub(crate) type Variable = (FieldId, Option<FieldId>);

/// The lines of the statement and of the calls that led to it.
pub(crate) type Lines = Rc<BTreeSet<u32>>;

#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// Nothing, or what is gone.
    None,
    Number(i64),
    Pointer(Address),
    /// The guard of a lock, by the number of the region that it keeps.
    Guard(FieldId, usize),
}

#[derive(Clone, Debug)]
pub(crate) enum Address {
    /// `Shared`.
    Object,
    /// A lock or an atomic.
    Member(FieldId),
    /// What a lock guards.
    Content(FieldId),
    Variable(Variable),
    /// A local of the frame with that number.
    Local(usize, Local),
}

#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) data: Data,
    pub(crate) taint: Taint,
}

impl Value {
    pub(crate) fn new(data: Data) -> Value {
        Value {
            data,
            taint: Taint::default(),
        }
    }

    pub(crate) fn number(&self) -> i64 {
        match self.data {
            Data::Number(number) => number,
            _ => 0,
        }
    }
}

/// A shared variable's memory.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) value: Value,
    /// The thread and the region that wrote it last.
    pub(crate) writer: Option<(usize, usize)>,
    /// When each thread wrote it last.
    pub(crate) written: [u32; 2],
    /// When each did more than to add to it.
    pub(crate) replaced: [u32; 2],
}

/// One run of a guard region or an atomic operation.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) acquired: u32,
    pub(crate) released: bool,
    pub(crate) wrote: BTreeSet<Variable>,
    /// Where it begins.
    pub(crate) lines: Lines,
}

#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) variable: Variable,
    pub(crate) region: usize,
    pub(crate) time: u32,
    pub(crate) lines: Lines,
    /// Whether the operation that reads may also write.
    pub(crate) updates: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) block: usize,
    pub(crate) next: usize,
    pub(crate) locals: Vec<Value>,
    /// The branches that decided that we are here, until their ways meet.
    pub(crate) control: Vec<(Taint, Option<BlockId>)>,
    /// What these and those of the callers make of each value.
    pub(crate) implicit: Taint,
    /// Where the caller wants the result, and the line of the call.
    pub(crate) to: Option<(Place, u32)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) frames: Vec<Frame>,
    pub(crate) regions: Vec<Region>,
    pub(crate) reads: Vec<Read>,
    /// Statements it may still do: loops that wait for others end here.
    pub(crate) fuel: u32,
}

impl Thread {
    pub(crate) fn is_done(&self) -> bool {
        self.frames.is_empty() || self.fuel == 0
    }

    /// The lines of the present statement and of the calls that led to it.
    pub(crate) fn lines(&self, program: &Program) -> Lines {
        let calls = self
            .frames
            .iter()
            .filter_map(|frame| Some(frame.to.as_ref()?.1));
        let here = self.frames.last().map(|frame| {
            let block = &program.function(frame.function).blocks[frame.block];
            match block.statements.get(frame.next) {
                Some((_, site)) => site.line,
                None => block.site.line,
            }
        });
        Rc::new(calls.chain(here).collect())
    }
}

/// A program and what does not change while it runs.
pub(crate) struct Code<'p> {
    pub(crate) program: &'p Program,
    pub(crate) postdominators: Vec<Vec<Option<BlockId>>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) cells: BTreeMap<Variable, Cell>,
    /// Which thread holds a lock.
    pub(crate) locks: BTreeMap<FieldId, usize>,
    pub(crate) threads: [Thread; 2],
    pub(crate) time: u32,
    /// What variables contain before anybody writes them.
    pub(crate) initial: i64,
    /// If there are any, they decide instead of values: which way a branch
    /// goes, and whether `compare_exchange` succeeds.
    pub(crate) chance: Option<Numbers>,
}

impl Machine {
    pub(crate) fn new(code: &Code<'_>, starts: [(FunctionId, i64); 2], initial: i64) -> Machine {
        Machine {
            cells: BTreeMap::new(),
            locks: BTreeMap::new(),
            threads: starts.map(|(function, argument)| {
                let parameters = code.program.function(function).parameters;
                let mut arguments = vec![Value::new(Data::Pointer(Address::Object))];
                for number in 1..i64::from(parameters) {
                    arguments.push(Value::new(Data::Number(argument + number - 1)));
                }
                Thread {
                    frames: vec![frame(code, function, arguments, None)],
                    regions: Vec::new(),
                    reads: Vec::new(),
                    fuel: 400,
                }
            }),
            time: 1,
            initial,
            chance: None,
        }
    }

    pub(crate) fn cell(&mut self, variable: Variable) -> &mut Cell {
        let initial = Data::Number(self.initial);
        self.cells.entry(variable).or_insert_with(|| Cell {
            value: Value::new(initial),
            writer: None,
            written: [0; 2],
            replaced: [0; 2],
        })
    }

    /// A number below the bound: the one given, unless chance decides.
    pub(crate) fn choice(&mut self, given: usize, bound: usize) -> usize {
        match &mut self.chance {
            Some(chance) => chance.below(bound),
            None => given % bound,
        }
    }

    /// What the branches that led here depend on, those of callers too.
    pub(crate) fn control(&self, thread: usize) -> impl Iterator<Item = &Taint> {
        let frames = self.threads[thread].frames.iter();
        frames.flat_map(|frame| frame.control.iter().map(|(taint, _)| taint))
    }
}

pub(crate) fn frame(
    code: &Code<'_>,
    function: FunctionId,
    arguments: Vec<Value>,
    to: Option<(Place, u32)>,
) -> Frame {
    let count = code.program.function(function).locals.len();
    let mut locals = vec![Value::new(Data::None); count];
    for (at, argument) in arguments.into_iter().enumerate() {
        locals[at + 1] = argument;
    }
    Frame {
        function,
        block: 0,
        next: 0,
        locals,
        control: Vec::new(),
        implicit: Taint::default(),
        to,
    }
}
