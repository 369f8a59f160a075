//! The analyses of one trace, over one reading.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use commute_detect::{Atomicity, EventError, Method, Objects, Pass, Races};
use commute_model::{Event, Finding, Names};
use commute_spec::Library;

use crate::blocks::Selection;
use crate::cli::{Algorithm, Analysis, CheckArgs};

/// How many steps the search for cycles may take in a second look: a second or
/// two.
const MOST_STEPS: u64 = 20_000_000;

/// What is to be done with a trace.
#[derive(Clone)]
pub(crate) struct Plan {
    pub analyses: Vec<Analysis>,
    pub fail_fast: bool,
    /// Whether atomicity was asked for by name.
    asked: bool,
    method: Method,
    blocks: Option<Selection>,
    library: Arc<Library>,
}

impl Plan {
    /// The plan of a command line.
    pub(crate) fn new(args: &CheckArgs, library: Arc<Library>) -> Result<Plan> {
        Ok(Plan {
            analyses: args.analyses(),
            fail_fast: args.fail_fast,
            asked: args.only.contains(&Analysis::Atomicity),
            method: match args.algorithm {
                Algorithm::Aerodrome => Method::AeroDrome,
                Algorithm::AerodromeBasic => Method::AeroDromeBasic,
                Algorithm::Velodrome => Method::Velodrome,
            },
            blocks: Selection::new(&args.atomic, &args.not_atomic)?,
            library,
        })
    }

    /// Whether blocks are looked at.
    pub(crate) fn wants_atomicity(&self) -> bool {
        self.analyses.contains(&Analysis::Atomicity)
    }

    fn atomicity(&self, method: Method) -> Atomicity {
        let blocks = self.blocks.as_ref().map(Selection::select);
        let atomicity = Atomicity::new(self.library.clone(), method, blocks);
        match self.fail_fast {
            true => atomicity.fail_fast(),
            false => atomicity,
        }
    }

    /// The pass that knows the cycles of what was found up to this event.
    pub(crate) fn explain(&self, until: u64) -> Atomicity {
        self.atomicity(Method::Velodrome)
            .second_look(until, MOST_STEPS)
    }
}

/// The passes that look at a trace.
pub(crate) struct Passes {
    races: Option<Races>,
    pub atomicity: Option<Atomicity>,
}

impl Passes {
    /// The passes of a plan.
    pub(crate) fn new(plan: &Plan) -> Passes {
        let wants = |analysis| plan.analyses.contains(&analysis);
        let (races, data) = (wants(Analysis::Races), wants(Analysis::DataRaces));
        Passes {
            races: (races || data).then(|| Races::new(plan.library.clone(), races, data)),
            atomicity: plan.wants_atomicity().then(|| plan.atomicity(plan.method)),
        }
    }

    /// Declares an object that the trace does not.
    pub(crate) fn declare(&mut self, name: &str, type_name: &str, names: &mut Names) -> Result<()> {
        let object = names.objects.intern(name);
        let type_id = names.types.intern(type_name);
        let races = self.races.iter_mut();
        let races = races.map(|races| races.declare(object, type_id, names));
        let atomicity = self.atomicity.iter_mut();
        let atomicity = atomicity.map(|pass| pass.declare(object, type_id, names));
        let declared: Result<(), EventError> = races.chain(atomicity).collect();
        declared.map_err(|error| anyhow!("--object {name}={type_name}: {}", message(&error)))
    }

    /// Takes the next events.
    pub(crate) fn steps(&mut self, mut events: &[Event], names: &Names) -> Result<(), EventError> {
        let mut result = Ok(());
        if let Some(races) = &mut self.races {
            result = races.steps(events, names);
            if let Err(error) = &result {
                events = &events[..error.offset];
            }
        }
        if let Some(atomicity) = &mut self.atomicity {
            // What one does not understand, the other does not get to see.
            atomicity.steps(events, names)?;
        }
        result
    }

    /// Whether something was found.
    pub(crate) fn found(&self) -> bool {
        self.races.as_ref().is_some_and(Races::found)
            || self.atomicity.as_ref().is_some_and(Atomicity::found)
    }

    /// How many events were taken.
    pub(crate) fn events(&self) -> u64 {
        let races = self.races.as_ref().map(Races::events);
        let atomicity = self.atomicity.as_ref().map(Atomicity::events);
        races.or(atomicity).unwrap_or_default()
    }

    /// The trace is over: what was found.
    pub(crate) fn finish(&mut self, names: &Names) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let Some(races) = &mut self.races {
            races.finish(names, &mut findings);
        }
        if let Some(atomicity) = &mut self.atomicity {
            atomicity.finish(names, &mut findings);
        }
        findings
    }

    /// What shows that the trace is not well-formed: the index of the first
    /// such event and what is wrong with it.
    pub(crate) fn ill_formed(&self, names: &Names) -> Option<(u64, String)> {
        let races = self.races.as_ref().and_then(|pass| pass.ill_formed(names));
        let blocks = self.atomicity.as_ref();
        let blocks = blocks.and_then(|pass| pass.ill_formed(names));
        races.into_iter().chain(blocks).min()
    }

    /// Remarks for people.
    pub(crate) fn notes(&self, plan: &Plan, names: &Names) -> Vec<String> {
        let mut notes = Vec::new();
        let blocks = self.atomicity.as_ref().map(Atomicity::has_blocks);
        match (blocks, &plan.blocks) {
            (Some(false), Some(_)) => {
                notes.push(
                    "no block of the trace is chosen by --atomic and --not-atomic".to_owned(),
                );
            }
            (Some(false), None) if plan.asked => {
                notes.push("the trace has no atomic blocks (`begin` and `end`)".to_owned());
            }
            _ => {}
        }
        let races = self.races.as_ref().map_or(0, Races::dropped);
        if races > 0 {
            notes.push(format!(
                "{races} more races between other places are not shown"
            ));
        }
        let blocks = self.atomicity.as_ref().map_or(0, Atomicity::dropped);
        if blocks > 0 {
            notes.push(format!(
                "{blocks} more violations of other blocks are not shown"
            ));
        }
        notes.extend(self.objects().and_then(|objects| linear(objects, names)));
        notes
    }

    fn objects(&self) -> Option<&Objects> {
        let races = self.races.as_ref().map(Races::objects);
        races.or(self.atomicity.as_ref().map(Atomicity::objects))
    }
}

/// An event that was not understood, with advice.
pub(crate) fn message(error: &EventError) -> String {
    match &error.help {
        Some(help) => format!("{}; {help}", error.message),
        None => error.message.clone(),
    }
}

/// Says which types cost more than constant time per action.
fn linear(objects: &Objects, names: &Names) -> Option<String> {
    // Enough to name the types of any real trace.
    let known = names.objects.ids().take(10_000);
    let mut types: Vec<_> = known
        .filter_map(|id| objects.get(id))
        .filter(|object| !object.compiled.points().linear().is_empty())
        .map(|object| object.type_id())
        .collect();
    types.sort_unstable();
    types.dedup();
    let types: Vec<_> = types
        .iter()
        .map(|t| format!("`{}`", names.types.name(*t)))
        .collect();
    (!types.is_empty()).then(|| {
        format!(
            "{} has conditions outside ECL: their pairs are compared one by one, which is linear in the object's actions (CM907)",
            types.join(", ")
        )
    })
}
