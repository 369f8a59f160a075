//! What was seen, against what was reported.

use std::collections::BTreeMap;
use std::fmt::Write;

use commute_lint::ir::Program;
use commute_lint::print::print;
use commute_lint::{Confidence, Kind, Violation};

use crate::forgetting;
use crate::machine::Variable;
use crate::schedule::{Effort, truth};
use crate::truth::{Grade, Pair, Truth};

/// Why a stale write that was seen is not reported, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Miss {
    /// The first region reads the variable in several places, and the function
    /// is not called by others directly: its callers are told of one of them.
    ReadAgain,
    /// The first region writes the variable too, but on other ways than the
    /// one that leads to the second.
    ClaimedElsewhere,
    /// The read is in a function that others call too, in regions that write
    /// the variable: that is taken for a claim of all of them.
    ClaimedByOthers,
    /// The variable was looked at again, but not in the second region: under
    /// another lock that is held up to there, and keeps nobody out.
    LookedOutside,
    /// The first region is an atomic operation that writes, or may: what it
    /// returns counts as taken out, whatever is done with it.
    Updated,
    /// The first region wrote the value to another field, and read it there.
    OwnMemory,
    /// Which value is written was chosen before the second region.
    Implicit,
    /// The second region is an operation whose result tells what was there; if
    /// it is looked at, that counts as noticing.
    Noticed,
    /// The same two places are reported for another variable.
    OtherVariable,
    /// Nobody knows.
    Unexplained,
}

/// What came out for many programs.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) programs: usize,
    /// Stale writes that were seen and reported.
    pub(crate) found: usize,
    pub(crate) missed: BTreeMap<Miss, usize>,
    /// Reports of high confidence that were seen, and that were not.
    pub(crate) seen: usize,
    pub(crate) unseen: usize,
    /// Those that take the result of an operation for its argument.
    pub(crate) arguments: usize,
    /// The programs with stale writes that are missed without explanation.
    pub(crate) examples: Vec<String>,
}

impl Tally {
    /// Whether all that was seen is reported.
    pub(crate) fn recall(&mut self, seed: u64, program: &Program, effort: Effort) {
        self.programs += 1;
        let truth = truth(program, effort);
        let reports = stale(program);
        for (pair, grades) in &truth.pairs {
            let Some(grade) = grades.last().filter(|grade| **grade > Grade::Excused) else {
                continue;
            };
            if reports.iter().any(|report| is_about(program, report, pair)) {
                self.found += 1;
                continue;
            }
            let mut miss = miss(&truth, pair, *grade);
            if miss == Miss::Unexplained {
                // Perhaps only rare runs show what the first region does.
                let more = Effort {
                    values: 100,
                    all: None,
                    chance: true,
                };
                miss = self::miss(&self::truth(program, more), pair, *grade);
            }
            if miss == Miss::Unexplained && reports.iter().any(|report| is_between(report, pair)) {
                miss = Miss::OtherVariable;
            }
            *self.missed.entry(miss).or_default() += 1;
            if miss == Miss::Unexplained {
                let variable = name(program, pair.variable);
                self.examples.push(format!(
                    "seed {seed}: {grade:?} {variable} {pair:?}\n{}",
                    text(program)
                ));
            }
        }
    }

    /// Whether all that is reported with high confidence is seen. Shows what
    /// is not.
    pub(crate) fn precision(&mut self, program: &Program, efforts: &[Effort]) {
        self.programs += 1;
        let mut reports = stale(program);
        // The truth is about one variable.
        reports.retain(|report| report.confidence == Confidence::High && report.written.is_none());
        for (number, effort) in efforts.iter().enumerate() {
            if reports.is_empty() {
                return;
            }
            let truth = truth(program, *effort);
            reports.retain(|report| {
                let pairs = truth.pairs.iter();
                let about = pairs.filter(|(pair, _)| is_about(program, report, pair));
                let best = about.filter_map(|(_, grades)| grades.last()).max();
                match best {
                    None => return true,
                    Some(Grade::Argument) if number + 1 < efforts.len() => return true,
                    Some(Grade::Argument) => self.arguments += 1,
                    Some(_) => self.seen += 1,
                }
                false
            });
        }
        for report in &reports {
            let lines: Vec<u32> = report.path.iter().map(|stop| stop.site.line).collect();
            eprintln!("not seen: {} {lines:?}\n{}", report.title, text(program));
        }
        self.unseen += reports.len();
    }
}

fn miss(truth: &Truth, pair: &Pair, grade: Grade) -> Miss {
    let region = (pair.regions.0.clone(), pair.variable);
    let again = truth
        .reads
        .get(&region)
        .is_some_and(|places| places.len() > 1);
    // The read is in a function that the region calls, as others may.
    let lent = pair.read.len() > 1;
    let claims = truth.claims.contains(&region);
    match grade {
        _ if pair.updates => Miss::Updated,
        Grade::Own => Miss::OwnMemory,
        Grade::Control | Grade::Implicit if claims => Miss::ClaimedElsewhere,
        Grade::Control if lent && pair.variable.1.is_some() => Miss::ClaimedByOthers,
        _ if pair.outside => Miss::LookedOutside,
        _ if again => Miss::ReadAgain,
        Grade::Implicit => Miss::Implicit,
        _ if pair.tells => Miss::Noticed,
        _ => Miss::Unexplained,
    }
}

/// Reports of stale values.
pub(crate) fn stale(program: &Program) -> Vec<Violation> {
    let outcome = forgetting::outcome(program, "a random program");
    let mut violations = outcome.violations;
    violations.retain(|found| matches!(found.kind, Kind::StaleValue | Kind::StaleCheck));
    violations
}

/// Whether the report names the variable and places of the two regions.
fn is_about(program: &Program, report: &Violation, pair: &Pair) -> bool {
    report.variable == name(program, pair.variable) && is_between(report, pair)
}

fn is_between(report: &Violation, pair: &Pair) -> bool {
    let (Some(first), Some(last)) = (report.path.first(), report.path.last()) else {
        return false;
    };
    let (first, last) = (first.site.line, last.site.line);
    (pair.read.contains(&first) || pair.regions.0.contains(&first))
        && (pair.write.contains(&last) || pair.regions.1.contains(&last))
}

fn name(program: &Program, (member, field): Variable) -> String {
    let member = &program.fields[member.index()];
    match field {
        Some(field) => format!("{member}.{}", program.fields[field.index()].name),
        None => member.to_string(),
    }
}

/// A program and what is reported of it.
pub(crate) fn text(program: &Program) -> String {
    let mut text = String::new();
    for function in &program.functions {
        text += &print(program, function);
    }
    for report in stale(program) {
        let lines: Vec<u32> = report.path.iter().map(|stop| stop.site.line).collect();
        let _ = writeln!(
            text,
            "{:?} {:?} {} {lines:?}",
            report.kind, report.confidence, report.variable
        );
    }
    text
}
