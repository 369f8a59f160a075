//! `commute trace show --witness`: the run that shows a predicted finding.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use commute_detect::{Options, Pass, Prediction};
use commute_model::{
    Action, Event, Finding, Names, ObjectId, Op, VariableId, Witness, WitnessKind,
};
use commute_spec::Library;
use commute_trace::TraceError;

use super::{Events, describe};
use crate::cli::Shared;
use crate::exit::Exit;
use crate::output::Output;

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
            output.stderr(&describe(&error, path, &output.style));
            return Ok(Exit::BadInput);
        }
    };
    let witness = choose(findings, id)?;
    match print(path, &witness, shared, output) {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => {
            output.stderr(&describe(&error, path, &output.style));
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
        let lines = lines.map(|f| format!("\n  {}  {}", &f.fingerprint[..8], f.title));
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
    Ok(findings)
}

fn print(
    path: &Path,
    witness: &Witness,
    shared: &Shared,
    output: &mut Output,
) -> Result<(), TraceError> {
    let mut events = Events::open(path, shared);
    let wanted: BTreeSet<u64> = witness.steps.iter().copied().collect();
    let mut kept: BTreeMap<u64, (Event, u32)> = BTreeMap::new();
    let mut lives = Lives::default();
    while let Some((index, event)) = events.next()? {
        let event = event.clone();
        let life = lives.of(&event, index <= witness.prefix);
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
struct Lives(BTreeMap<Thing, u32>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Variable(VariableId),
    Object(ObjectId),
}

impl Lives {
    fn of(&mut self, event: &Event, prefix: bool) -> u32 {
        let (thing, begins) = match &event.op {
            Op::Alloc(x) => (Thing::Variable(*x), true),
            Op::Read(x) | Op::Write(x) | Op::Free(x) => (Thing::Variable(*x), false),
            Op::New(o, _) => (Thing::Object(*o), true),
            Op::Drop(o) => (Thing::Object(*o), false),
            Op::Action(action) => (Thing::Object(action.object), false),
            _ => return 0,
        };
        match self.0.get_mut(&thing) {
            Some(life) => {
                *life += u32::from(begins && !prefix);
                *life
            }
            // The name is new, too.
            None => *self.0.entry(thing).or_default(),
        }
    }
}

/// The event, with another name for what has only the name in common with
/// something older: in the witness the two may be there at the same time.
fn renamed(event: &Event, life: u32, names: &mut Names) -> Event {
    let mut event = event.clone();
    if life == 0 {
        return event;
    }
    let variable = |x: &mut VariableId, names: &mut Names| {
        let name = format!("{}@{life}", names.variables.name(*x));
        *x = names.variables.intern(&name);
    };
    let object = |o: &mut ObjectId, names: &mut Names| {
        let name = format!("{}@{life}", names.objects.name(*o));
        *o = names.objects.intern(&name);
    };
    match &mut event.op {
        Op::Alloc(x) | Op::Read(x) | Op::Write(x) | Op::Free(x) => variable(x, names),
        Op::New(o, _) | Op::Drop(o) => object(o, names),
        Op::Action(action) => {
            let mut other = Action::clone(action);
            object(&mut other.object, names);
            *action = Arc::new(other);
        }
        _ => {}
    }
    event
}
