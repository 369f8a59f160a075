//! The analyses of one trace, over one reading.

use std::collections::BTreeSet;
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
            keep_one_of_each_pair(&mut findings, &mut predicted);
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

/// Takes out of the findings of a pair of places that is observed to race and predicted the
/// one that says less.
fn keep_one_of_each_pair(observed: &mut Vec<Finding>, predicted: &mut Vec<Finding>) {
    let races: BTreeSet<Places<'_>> = { observed.iter() }
        .filter(|finding| is_race(finding))
        .map(places)
        .collect();
    predicted.retain(|finding| says_more(finding) || !races.contains(&places(finding)));
    let better: BTreeSet<Places<'_>> = { predicted.iter() }
        .filter(|finding| says_more(finding))
        .map(places)
        .collect();
    observed.retain(|finding| !is_race(finding) || !better.contains(&places(finding)));
}

/// Whether a prediction says more than that the two race.
fn says_more(predicted: &Finding) -> bool {
    predicted.code != Code::CM103 && predicted.certainty != Certainty::Unconfirmed
}

/// Whether a finding is a race that was observed.
fn is_race(finding: &Finding) -> bool {
    matches!(finding.code, Code::CM101 | Code::CM102)
}

/// The places of the events of a finding in ascending order; of an event without one, the
/// object and the action.
type Places<'a> = Vec<(Option<&'a str>, &'a str)>;

fn places(finding: &Finding) -> Places<'_> {
    let places = finding.events.iter().map(|event| {
        if event.location.is_empty() {
            (finding.object.as_deref(), event.action.as_str())
        } else {
            (None, event.location.as_str())
        }
    });
    let mut places: Places<'_> = places.collect();
    places.sort_unstable();
    places
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

#[cfg(test)]
mod tests {
    use commute_model::{EventRef, Level};

    use super::*;

    fn finding(code: Code, certainty: Certainty, object: &str, events: &[(&str, &str)]) -> Finding {
        let events = events.iter().map(|(action, location)| EventRef {
            thread: "T".into(),
            index: 1,
            action: (*action).into(),
            location: (*location).into(),
        });
        Finding {
            code,
            level: Level::Error,
            certainty,
            fingerprint: String::new(),
            title: String::new(),
            object: Some(object.into()),
            events: events.collect(),
            condition: None,
            witness: None,
            count: 1,
            replay: None,
            scene: None,
            notes: Vec::new(),
        }
    }

    /// The definition: every prediction is compared with every race.
    fn is_same_pair(predicted: &Finding, observed: &Finding) -> bool {
        is_race(observed) && places(predicted) == places(observed)
    }

    #[test]
    fn of_each_pair_of_places_the_one_that_says_more_stays() {
        let observed =
            |code, object, events: &[_]| finding(code, Certainty::Observed, object, events);
        let [a, b] = [("w(x)", "a.rs:1"), ("r(x)", "b.rs:2")];
        let [c, d] = [("o.put(1)", ""), ("o.get(1)", "")];
        let races = [
            observed(Code::CM102, "x", &[a, b]),
            observed(Code::CM101, "o", &[c, d]),
            observed(Code::CM102, "y", &[a, a]),
            observed(Code::CM111, "x", &[b, b]),
        ];
        let mut predictions = Vec::new();
        for code in [Code::CM103, Code::CM121] {
            for certainty in [Certainty::Certified, Certainty::Unconfirmed] {
                for (object, events) in [
                    ("x", [b, a]),
                    ("o", [d, c]),
                    ("other", [c, d]),
                    ("x", [b, b]),
                ] {
                    predictions.push(finding(code, certainty, object, &events));
                }
            }
        }
        // Every subset of the predictions that is an interval.
        for from in 0..predictions.len() {
            for to in from..=predictions.len() {
                let (mut observed, mut predicted) =
                    (races.to_vec(), predictions[from..to].to_vec());
                let expected: Vec<Finding> = { predicted.iter() }
                    .filter(|p| says_more(p) || !observed.iter().any(|o| is_same_pair(p, o)))
                    .cloned()
                    .collect();
                let is_better =
                    |o: &&Finding| !expected.iter().any(|p| says_more(p) && is_same_pair(p, o));
                let left: Vec<Finding> = observed.iter().filter(is_better).cloned().collect();
                keep_one_of_each_pair(&mut observed, &mut predicted);
                assert_eq!((observed, predicted), (left, expected), "{from}..{to}");
            }
        }
    }

    /// Comparing every prediction with every race would take an hour.
    #[test]
    fn many_pairs_are_told_apart() {
        let one = |code, i: u32| {
            let places = [format!("a.rs:{i}"), format!("b.rs:{i}")];
            finding(
                code,
                Certainty::Certified,
                "x",
                &[("w(x)", &places[0]), ("r(x)", &places[1])],
            )
        };
        let mut observed: Vec<Finding> = (0..100_000).map(|i| one(Code::CM102, i)).collect();
        let mut predicted: Vec<Finding> = (50_000..150_000).map(|i| one(Code::CM103, i)).collect();
        keep_one_of_each_pair(&mut observed, &mut predicted);
        assert_eq!((observed.len(), predicted.len()), (100_000, 50_000));
    }
}
