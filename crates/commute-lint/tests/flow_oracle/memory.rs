//! Shared memory: regions, reads, writes and operations.

use commute_lint::ir::{FieldId, Operand, Operation};

use crate::machine::{Address, Code, Data, Machine, Read, Region, Value, Variable};
use crate::taint::{DATA, DATA_SHARED, Taint};
use crate::truth::{Truth, Write};

impl Machine {
    /// The region of the lock that the thread is in.
    pub(crate) fn region(&self, thread: usize, lock: FieldId) -> usize {
        assert_eq!(self.locks.get(&lock), Some(&thread), "it holds the lock");
        let frames = self.threads[thread].frames.iter();
        let mut guards =
            frames
                .flat_map(|frame| &frame.locals)
                .filter_map(|value| match value.data {
                    Data::Guard(of, region) if of == lock => Some(region),
                    _ => None,
                });
        guards.next_back().unwrap_or_default()
    }

    pub(crate) fn read(
        &mut self,
        code: &Code<'_>,
        thread: usize,
        variable: Variable,
        region: usize,
        updates: bool,
    ) -> Value {
        self.time += 1;
        let (time, id) = (self.time, self.threads[thread].reads.len());
        let lines = self.threads[thread].lines(code.program);
        let reads = &mut self.threads[thread].reads;
        reads.push(Read {
            variable,
            region,
            time,
            lines,
            updates,
        });
        let cell = self.cell(variable);
        // What the region wrote itself is not what it found.
        let own = cell.writer == Some((thread, region));
        let mut taint = Taint::of(id, if own { DATA_SHARED } else { DATA });
        match cell.writer {
            Some((of, _)) if of != thread => {}
            _ if own => taint.add(&cell.value.taint.own()),
            _ => taint.add(&cell.value.taint.shared()),
        }
        Value {
            data: cell.value.data.clone(),
            taint,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "it is one write")]
    pub(crate) fn write(
        &mut self,
        code: &Code<'_>,
        truth: &mut Truth,
        thread: usize,
        variable: Variable,
        region: usize,
        value: Value,
        operation: Option<&Operation>,
    ) {
        self.time += 1;
        let lines = self.threads[thread].lines(code.program);
        let checks = operation.is_some_and(|operation| operation.checks);
        let adds = operation.is_some_and(|operation| operation.method == "fetch_add");
        truth.look(
            self,
            &Write {
                thread,
                variable,
                region,
                taint: &value.taint,
                checks,
                adds,
                lines,
            },
        );
        self.threads[thread].regions[region].wrote.insert(variable);
        let time = self.time;
        let cell = self.cell(variable);
        cell.value = value;
        cell.writer = Some((thread, region));
        cell.written[thread] = time;
        if !adds {
            cell.replaced[thread] = time;
        }
    }

    fn begin(&mut self, code: &Code<'_>, thread: usize) -> usize {
        self.time += 1;
        let lines = self.threads[thread].lines(code.program);
        let regions = &mut self.threads[thread].regions;
        regions.push(Region {
            acquired: self.time,
            released: false,
            wrote: Default::default(),
            lines,
        });
        regions.len() - 1
    }

    fn member(&mut self, thread: usize, argument: &Operand) -> FieldId {
        match self.operand(thread, argument).data {
            Data::Pointer(Address::Member(field)) => field,
            other => unreachable!("{other:?} is no lock"),
        }
    }

    pub(crate) fn acquire(&mut self, code: &Code<'_>, thread: usize, argument: &Operand) -> Value {
        let lock = self.member(thread, argument);
        self.locks.insert(lock, thread);
        Value::new(Data::Guard(lock, self.begin(code, thread)))
    }

    pub(crate) fn release(&mut self, thread: usize, guard: &Value) {
        if let Data::Guard(lock, region) = guard.data {
            self.locks.remove(&lock);
            self.threads[thread].regions[region].released = true;
        }
    }

    pub(crate) fn deref(&mut self, thread: usize, argument: &Operand) -> Value {
        let Data::Pointer(Address::Local(at, local)) = self.operand(thread, argument).data else {
            unreachable!("guards are borrowed to be dereferenced")
        };
        match self.threads[thread].frames[at].locals[local.index()].data {
            Data::Guard(lock, _) => Value::new(Data::Pointer(Address::Content(lock))),
            ref other => unreachable!("{other:?} is no guard"),
        }
    }

    pub(crate) fn operation(
        &mut self,
        code: &Code<'_>,
        truth: &mut Truth,
        thread: usize,
        operation: &Operation,
        arguments: &[Operand],
    ) -> Value {
        let variable = (self.member(thread, &arguments[0]), None);
        let values: Vec<Value> = arguments[1..]
            .iter()
            .map(|argument| self.operand(thread, argument))
            .collect();
        let region = self.begin(code, thread);
        let old = match operation.reads {
            true => self.read(code, thread, variable, region, operation.writes),
            false => Value::new(Data::None),
        };
        let equal = values
            .first()
            .is_some_and(|value| value.number() == old.number());
        let new = match operation.method {
            "store" => Some(values[0].clone()),
            "fetch_add" => {
                let mut sum = values[0].clone();
                sum.data = Data::Number((old.number() + sum.number()).rem_euclid(4));
                sum.taint.add(&old.taint);
                Some(sum)
            }
            "compare_exchange" if self.choice(usize::from(equal), 2) == 1 => {
                Some(values[1].clone())
            }
            _ => None,
        };
        if let Some(new) = new {
            self.write(code, truth, thread, variable, region, new, Some(operation));
        }
        self.threads[thread].regions[region].released = true;
        let mut result = old;
        for value in &values {
            result.taint.add(&value.taint.argument());
        }
        result
    }
}
