//! The analyses of one trace, over one reading.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use commute_detect::rd2::MOST_SITES;
use commute_detect::{
    Atomicity, EventError, InitialStates, Method, Objects, Options, Pass, Races, Scenes,
};
use commute_model::{Certainty, Code, Event, Finding, Names};
use commute_report::{ObjectRaces, RaceTotals, Sources};
use commute_spec::Library;

use crate::blocks::Selection;
use crate::cli::{Algorithm, Analysis, AnalysisArgs, Deny};
use crate::fingerprints::complete;
use crate::predictor::Predictor;

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
    /// The initial states that the trace does not record, if they were found out before.
    states: Arc<InitialStates>,
    algorithms: Vec<Algorithm>,
    prediction: Options,
    /// Whether what is not certain fails the run.
    pub deny_unconfirmed: bool,
    library: Arc<Library>,
}

impl Plan {
    /// The plan of a command line.
    pub(crate) fn new(args: &AnalysisArgs, library: Arc<Library>) -> Result<Plan> {
        Ok(Plan {
            analyses: args.analyses(),
            fail_fast: args.fail_fast,
            asked: args.only.contains(&Analysis::Atomicity),
            method: method(&args.algorithm),
            states: Arc::default(),
            algorithms: args.algorithm.clone(),
            prediction: args.prediction.options(),
            deny_unconfirmed: args.deny.contains(&Deny::Unconfirmed),
            blocks: Selection::new(&args.atomic, &args.not_atomic)?,
            library,
        })
    }

    /// The same for a trace whose objects begin in these states.
    pub(crate) fn with_initial_states(mut self, states: InitialStates) -> Plan {
        self.states = Arc::new(states);
        self
    }

    /// The specifications of all types.
    pub(crate) fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Whether blocks are looked at.
    pub(crate) fn wants_atomicity(&self) -> bool {
        self.analyses.contains(&Analysis::Atomicity)
    }

    fn atomicity(&self, method: Method) -> Atomicity {
        let blocks = self.blocks.as_ref().map(Selection::select);
        let mut atomicity = Atomicity::new(self.library.clone(), method, blocks);
        atomicity.set_initial_states(&self.states);
        match self.fail_fast {
            true => atomicity.fail_fast(),
            false => atomicity,
        }
    }

    /// What collects the events around findings.
    pub(crate) fn scenes(&self) -> Scenes {
        let mut scenes = Scenes::new(self.library.clone());
        scenes.set_initial_states(&self.states);
        scenes
    }

    /// The pass that knows the cycles of what was found up to this event.
    pub(crate) fn explain(&self, until: u64) -> Atomicity {
        self.atomicity(Method::Velodrome)
            .second_look(until, MOST_STEPS)
    }
}

fn method(algorithms: &[Algorithm]) -> Method {
    let method = |algorithm: &Algorithm| match algorithm {
        Algorithm::Aerodrome => Some(Method::AeroDrome),
        Algorithm::AerodromeBasic => Some(Method::AeroDromeBasic),
        Algorithm::Velodrome => Some(Method::Velodrome),
        _ => None,
    };
    { algorithms.iter() }
        .rev()
        .find_map(method)
        .unwrap_or(Method::AeroDrome)
}

/// The passes that look at a trace.
#[derive(Clone, Default)]
pub(crate) struct Passes {
    races: Option<Races>,
    pub atomicity: Option<Atomicity>,
    prediction: Option<Predictor>,
}

impl Passes {
    /// The passes of a plan.
    pub(crate) fn new(plan: &Plan) -> Passes {
        let wants = |analysis| plan.analyses.contains(&analysis);
        let (races, data) = (wants(Analysis::Races), wants(Analysis::DataRaces));
        Passes {
            // Without either it still says whether locks and threads are used well.
            races: (races || data || wants(Analysis::Prediction)).then(|| {
                let mut races = Races::new(plan.library.clone(), races, data);
                races.set_initial_states(&plan.states);
                races
            }),
            atomicity: plan.wants_atomicity().then(|| plan.atomicity(plan.method)),
            prediction: wants(Analysis::Prediction).then(|| {
                let (library, options) = (plan.library.clone(), plan.prediction.clone());
                Predictor::new(&plan.algorithms, options, library)
            }),
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
        let prediction = self.prediction.iter_mut();
        let prediction = prediction.map(|pass| pass.declare(object, type_id, names));
        let declared: Result<(), EventError> = races.chain(atomicity).chain(prediction).collect();
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
            // What one does not understand, the others do not get to see.
            if let Err(error) = atomicity.steps(events, names) {
                events = &events[..error.offset];
                result = Err(error);
            }
        }
        if let Some(prediction) = &mut self.prediction {
            prediction.steps(events, names)?;
        }
        result
    }

    /// Whether something was found.
    pub(crate) fn found(&self) -> bool {
        self.races.as_ref().is_some_and(Races::found)
            || self.atomicity.as_ref().is_some_and(Atomicity::found)
            || self.prediction.as_ref().is_some_and(Predictor::found)
    }

    /// How many events were taken.
    pub(crate) fn events(&self) -> u64 {
        let races = self.races.as_ref().map(Races::events);
        let atomicity = self.atomicity.as_ref().map(Atomicity::events);
        let prediction = self.prediction.as_ref().map(Predictor::events);
        races.or(atomicity).or(prediction).unwrap_or_default()
    }

    /// The trace is over: what was found.
    pub(crate) fn finish(&mut self, names: &Names, sources: &dyn Sources) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let Some(races) = &mut self.races {
            races.finish(names, &mut findings);
        }
        if let Some(atomicity) = &mut self.atomicity {
            atomicity.finish(names, &mut findings);
        }
        // Each by all that its analysis has found, so that it is called the same if
        // another analysis has found the same pair.
        complete(&mut findings, sources);
        if let Some(prediction) = &mut self.prediction {
            let mut predicted = prediction.finish(names);
            complete(&mut predicted, sources);
            // Of a pair that two analyses found, the one that says more stays.
            predicted.retain(|p| says_more(p) || !findings.iter().any(|o| is_same_pair(p, o)));
            let known =
                |o: &Finding| { predicted.iter() }.any(|p| says_more(p) && is_same_pair(p, o));
            findings.retain(|o| !known(o));
            findings.extend(predicted);
        }
        findings
    }

    /// How often races were found, if there are any, when the passes have finished.
    pub(crate) fn race_totals(&self, names: &Names) -> Option<RaceTotals> {
        let races = self.races.as_ref()?;
        let totals = races.totals(names).into_iter().map(|total| ObjectRaces {
            object: total.object,
            code: total.code.to_string(),
            total: total.total,
            distinct: total.distinct,
        });
        let unlisted = races.dropped() + races.unlisted();
        let totals = RaceTotals::new(totals.collect(), unlisted);
        (totals.total > 0).then_some(totals)
    }

    /// What shows that the trace is not well-formed: the index of the first
    /// such event and what is wrong with it.
    pub(crate) fn ill_formed(&self, names: &Names) -> Option<(u64, String)> {
        let races = self.races.as_ref().and_then(|pass| pass.ill_formed(names));
        let blocks = self.atomicity.as_ref();
        let blocks = blocks.and_then(|pass| pass.ill_formed(names));
        races.into_iter().chain(blocks).min()
    }

    /// Why not everything was looked at, if it was not.
    pub(crate) fn left_out(&self) -> Option<String> {
        let pairs = self.prediction.as_ref().map_or(0, Predictor::dropped);
        (pairs > 0).then(|| format!("{pairs} pairs of events at other places were not looked at"))
    }

    /// Whether the trace has to be read again, because it tells too late of the initial
    /// states of its objects.
    pub(crate) fn is_late(&self) -> bool {
        self.races.as_ref().is_some_and(Races::is_late)
            || self.atomicity.as_ref().is_some_and(Atomicity::is_late)
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
        let unlisted = self.races.as_ref().map_or(0, Races::unlisted);
        if unlisted > 0 {
            notes.push(format!(
                "{unlisted} more races with accesses at earlier sites are not shown: of each \
                 thread the accesses to a variable or access point are kept at {MOST_SITES} sites"
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
        let atomicity = self.atomicity.as_ref().map(Atomicity::objects);
        let prediction = self.prediction.as_ref().and_then(Predictor::objects);
        races.or(atomicity).or(prediction)
    }
}

/// Whether a prediction says more than that the two race.
fn says_more(predicted: &Finding) -> bool {
    predicted.code != Code::CM103 && predicted.certainty != Certainty::Unconfirmed
}

/// Whether a race that was observed is between the same places.
fn is_same_pair(predicted: &Finding, observed: &Finding) -> bool {
    if !matches!(observed.code, Code::CM101 | Code::CM102) {
        return false;
    }
    let places = |finding: &Finding| {
        let events = finding.events.iter();
        let mut places: Vec<_> = events
            .map(|event| match event.location.is_empty() {
                true => (finding.object.clone(), event.action.clone()),
                false => (None, event.location.clone()),
            })
            .collect();
        places.sort();
        places
    };
    places(predicted) == places(observed)
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
    let types = objects.types();
    let linear = types.filter(|(_, compiled)| !compiled.points().linear().is_empty());
    let types: Vec<_> = linear
        .map(|(type_id, _)| format!("`{}`", names.types.name(type_id)))
        .collect();
    (!types.is_empty()).then(|| {
        format!(
            "{} has conditions outside ECL: their pairs are compared one by one, which is linear in the object's actions (CM907)",
            types.join(", ")
        )
    })
}
