//! `commute trace show --witness`: the run that shows a predicted finding.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use commute_detect::{Options, Pass, Prediction};
use commute_model::{
    Action, CondvarId, Event, Finding, Id, LockId, NameTable, Names, ObjectId, Op, VariableId,
    Witness, WitnessKind,
};
use commute_report::human::short_id;
use commute_spec::Library;
use commute_trace::TraceError;

use super::{Events, describe};
use crate::cli::Shared;
use crate::exit::Exit;
use crate::fingerprints::complete;
use crate::output::Output;
use crate::sources::FileSources;

/// Prints the witness of the finding with this fingerprint as a text trace.
pub(super) fn run(
    path: &Path,
    id: &str,
    options: Options,
    shared: &Shared,
    output: &mut Output,
) -> Result<Exit> {
    if path.as_os_str() == "-" {
        bail!("a witness cannot be shown of standard input, which cannot be read twice");
    }
    let library = Arc::new(crate::library::load(&shared.spec, output)?);
    let findings = match predict(path, options, &library, shared) {
        Ok(findings) => findings,
        Err(error) => {
            output.stderr(&describe(&error, path, &output.error_style));
            return Ok(Exit::BadInput);
        }
    };
    let witness = choose(findings, id)?;
    match print(path, &witness, shared, output) {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => {
            output.stderr(&describe(&error, path, &output.error_style));
            Ok(Exit::BadInput)
        }
    }
}

/// The witness of the one finding whose fingerprint begins like this.
fn choose(findings: Vec<Finding>, id: &str) -> Result<Witness> {
    let known: Vec<Finding> = { findings.into_iter() }
        .filter(|finding| {
            let kind = finding.witness.as_ref().map(|witness| witness.kind);
            kind == Some(WitnessKind::Reordering)
        })
        .collect();
    let list = |findings: &[&Finding]| {
        let lines = findings.iter().take(10);
        let lines = lines.map(|f| format!("\n  {}  {}", short_id(&f.fingerprint), f.title));
        lines.collect::<String>()
    };
    let all: Vec<&Finding> = known.iter().collect();
    let found = { all.iter().copied() }.filter(|finding| finding.fingerprint.starts_with(id));
    match &found.collect::<Vec<_>>()[..] {
        [finding] if !id.is_empty() => match &finding.witness {
            Some(witness) => Ok(witness.clone()),
            None => bail!("`{id}` has no witness"),
        },
        [] if all.is_empty() => bail!("nothing was predicted of this trace, with these options"),
        [] => bail!("no predicted finding is `{id}`; there are:{}", list(&all)),
        several => bail!(
            "`{id}` is not one finding; which of these?{}",
            list(several)
        ),
    }
}

fn predict(
    path: &Path,
    options: Options,
    library: &Arc<Library>,
    shared: &Shared,
) -> Result<Vec<Finding>, TraceError> {
    let mut reader = super::open(path, shared)?;
    let mut pass = Prediction::new(library.clone(), options);
    for (name, type_name) in &shared.object {
        let object = reader.names_mut().objects.intern(name);
        let type_id = reader.names_mut().types.intern(type_name);
        // A type that is not known shows with the first action.
        let _ = pass.declare(object, type_id, reader.names());
    }
    let mut batch = Vec::new();
    loop {
        reader.read_batch(&mut batch)?;
        if batch.is_empty() {
            break;
        }
        if let Err(error) = pass.steps(&batch, reader.names()) {
            return Err(reader.error_at(error.offset, &error.message));
        }
    }
    let mut findings = Vec::new();
    pass.finish(reader.names(), &mut findings);
    complete(&mut findings, &FileSources::of(path, shared));
    Ok(findings)
}

/// Prints the events of a witness of this trace as a text trace.
///
/// # Errors
/// If the trace cannot be read.
pub(super) fn print(
    path: &Path,
    witness: &Witness,
    shared: &Shared,
    output: &mut Output,
) -> Result<(), TraceError> {
    let mut events = Events::open(path, shared);
    let wanted: BTreeSet<u64> = witness.steps.iter().copied().collect();
    let mut kept: BTreeMap<u64, (Event, [u32; 2])> = BTreeMap::new();
    let mut lives = Lives::default();
    while let Some((index, event)) = events.next()? {
        let event = event.clone();
        let life = lives.of(&event, index <= witness.prefix, events.names());
        if index <= witness.prefix {
            output.line(&event.display(events.names()).to_string());
        } else if wanted.contains(&index) {
            kept.insert(index, (event, life));
        }
        if output.is_gone() {
            return Ok(());
        }
    }
    let mut names = events.names().clone();
    for (event, life) in witness.steps.iter().filter_map(|index| kept.get(index)) {
        let event = renamed(event, *life, &mut names);
        output.line(&event.display(&names).to_string());
    }
    Ok(())
}

/// How often each name was given to something else after the prefix.
#[derive(Default)]
struct Lives {
    lives: Vec<u32>,
    /// Places in `lives`.
    known: BTreeMap<Thing, usize>,
    /// Those of memory: `alloc(m)` is of the variable, the lock and the condition
    /// variable of this name.
    named: BTreeMap<String, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Variable(VariableId),
    Lock(LockId),
    Condvar(CondvarId),
    Object(ObjectId),
}

impl Lives {
    /// The lives of what an event is about: of a wait and a wake, those of the
    /// condition variable and of the lock.
    fn of(&mut self, event: &Event, prefix: bool, names: &Names) -> [u32; 2] {
        let (things, begins) = match &event.op {
            Op::Alloc(x) => ([Some(Thing::Variable(*x)), None], true),
            Op::Read(x) | Op::Write(x) | Op::Free(x) => ([Some(Thing::Variable(*x)), None], false),
            Op::Acquire(l) | Op::Release(l) | Op::ReadAcquire(l) | Op::ReadRelease(l) => {
                ([Some(Thing::Lock(*l)), None], false)
            }
            Op::Wait(c, l) | Op::Wake(c, l) => {
                ([Some(Thing::Condvar(*c)), Some(Thing::Lock(*l))], false)
            }
            Op::Notify(c) | Op::NotifyAll(c) => ([Some(Thing::Condvar(*c)), None], false),
            Op::New(o, _) => ([Some(Thing::Object(*o)), None], true),
            Op::Drop(o) => ([Some(Thing::Object(*o)), None], false),
            Op::Action(action) => ([Some(Thing::Object(action.object)), None], false),
            _ => ([None, None], false),
        };
        things.map(|thing| thing.map_or(0, |thing| self.life(thing, begins && !prefix, names)))
    }

    fn life(&mut self, thing: Thing, begins: bool, names: &Names) -> u32 {
        let place = { self.known.get(&thing).copied() }.or_else(|| {
            let place = self.named.get(&thing.memory(names)?).copied()?;
            self.known.insert(thing, place);
            Some(place)
        });
        match place {
            Some(place) => self.lives[place] += u32::from(begins),
            // The name is new, too.
            None => {
                self.known.insert(thing, self.lives.len());
                if let Some(name) = thing.memory(names) {
                    self.named.insert(name, self.lives.len());
                }
                self.lives.push(0);
            }
        }
        self.lives[self.known[&thing]]
    }
}

impl Thing {
    /// The name, unless it is an object.
    fn memory(self, names: &Names) -> Option<String> {
        match self {
            Thing::Variable(x) => Some(names.variables.name(x).to_string()),
            Thing::Lock(l) => Some(names.locks.name(l).to_string()),
            Thing::Condvar(c) => Some(names.condvars.name(c).to_string()),
            Thing::Object(_) => None,
        }
    }
}

/// The event, with another name for what has only the name in common with
/// something older: in the witness the two may be there at the same time.
fn renamed(event: &Event, [life, of_lock]: [u32; 2], names: &mut Names) -> Event {
    let mut event = event.clone();
    match &mut event.op {
        Op::Alloc(x) | Op::Read(x) | Op::Write(x) | Op::Free(x) => {
            rename(x, life, &mut names.variables);
        }
        Op::Acquire(l) | Op::Release(l) | Op::ReadAcquire(l) | Op::ReadRelease(l) => {
            rename(l, life, &mut names.locks);
        }
        Op::Wait(c, l) | Op::Wake(c, l) => {
            rename(c, life, &mut names.condvars);
            rename(l, of_lock, &mut names.locks);
        }
        Op::Notify(c) | Op::NotifyAll(c) => rename(c, life, &mut names.condvars),
        Op::New(o, _) | Op::Drop(o) => rename(o, life, &mut names.objects),
        Op::Action(action) if life > 0 => {
            let mut other = Action::clone(action);
            rename(&mut other.object, life, &mut names.objects);
            *action = other.into();
        }
        _ => {}
    }
    event
}

fn rename<I: Id>(id: &mut I, life: u32, names: &mut NameTable<I>) {
    if life > 0 {
        let name = format!("{}@{life}", names.name(*id));
        *id = names.intern(&name);
    }
}
