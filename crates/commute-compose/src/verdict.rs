//! Whether what was returned can be explained.
//!
//! A history is explained by a gap in the sequence of operations of the environment: if
//! the method is run there, as a whole, everything returns the same, and the same is to
//! be seen afterwards. Where the environment came after the method had ended, so does it
//! in the explanation.
//!
//! Claims: exact, for the histories that were looked at.

use std::ops::RangeInclusive;

use commute_explore::{Run, Subject, ThreadId};

use crate::adversary::{Adversary, Enough, Stop};
use crate::journal::{Journal, Returned, Shared};
use crate::overlap::Overlaps;
use crate::point::Point;
use crate::setting::Setting;

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every history has an explanation.
    Atomic,
    /// One has none.
    Violated,
    /// In every history somebody waits for ever.
    Blocked,
    /// Nothing that is seen is used by the method, so there is nothing to attack.
    Untouched,
    /// Not everything was looked at, for this reason.
    Inconclusive(String),
}

/// What the adversary came to.
#[derive(Clone, Debug)]
pub struct Attacked {
    /// In a word.
    pub verdict: Verdict,
    /// The shortest history without an explanation.
    pub violation: Option<Violation>,
    /// If the method never came to its end: the first run, in which nobody else did
    /// anything, and who it is there.
    pub stuck: Option<(Run, ThreadId)>,
    /// Of all histories without an explanation, the operations in it; each set once.
    pub violating: Vec<Vec<u32>>,
    /// Runs of the program.
    pub executions: u64,
    /// Histories that were left out, because they can only come to what others do.
    pub pruned: u64,
    /// Histories in which somebody would have to wait for ever.
    pub blocked: u64,
    /// Histories that were looked at.
    pub histories: u64,
}

/// A history without an explanation.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Which initial state and arguments.
    pub case: u32,
    /// What the environment did, in order.
    pub operations: Vec<u32>,
    /// What was returned.
    pub journal: Journal,
    /// Before which of them it may have taken effect.
    pub gaps: RangeInclusive<usize>,
    /// What would have been then, for each; nothing where somebody would have had to wait.
    /// Empty if they overlap, and no order of all calls explains them.
    pub instead: Vec<Option<Journal>>,
    /// The run.
    pub run: Run,
}

/// Attacks the method of a program, which does what the settings say: its first thread
/// chooses a case and makes the object, then chooses numbers of threads and starts them.
/// Each of these chooses once, which is its beginning, and writes down what it returns.
pub fn attack(
    subject: &mut Subject<'_>,
    journal: &Shared,
    setting: &Setting,
    enough: Enough<'_>,
) -> Attacked {
    let mut adversary = Adversary::new(subject, journal, setting, enough);
    loop {
        let mut judge = Judge::default();
        let searched = adversary
            .search(&mut |adversary, point, returned| judge.look(adversary, point, returned));
        let overlaps = match &searched {
            Ok(()) if setting.overlap && judge.shortest.is_none() => adversary.overlaps(),
            _ => Ok(Overlaps::default()),
        };
        let told = match (searched, overlaps) {
            (Err(stop), _) if judge.shortest.is_none() => Err(stop),
            (_, Err(stop)) => Err(stop),
            (searched, Ok(overlaps)) => tell(&mut adversary, judge, overlaps, searched.err()),
        };
        match told {
            Ok(attacked) => return attacked,
            // Each time one of its objects has lost a name, or the runs come to an end.
            Err(Stop::Anew) if adversary.begin_anew() => {}
            Err(stop) => return stopped(&adversary, stop),
        }
    }
}

/// What came of a search.
fn tell(
    adversary: &mut Adversary<'_, '_>,
    judge: Judge,
    overlaps: Overlaps,
    stopped: Option<Stop>,
) -> Result<Attacked, Stop> {
    let mut attacked = Attacked::nothing(adversary);
    attacked.histories = judge.histories + overlaps.histories;
    attacked.violating = judge.violating;
    attacked.violating.extend(overlaps.violating);
    let overlap = overlaps.shortest.map(|overlap| Unexplained {
        point: overlap.point,
        returned: overlap.returned,
        instead: Vec::new(),
    });
    if let Some(Unexplained {
        point,
        returned,
        instead,
    }) = judge.shortest.or(overlap)
    {
        if stopped == Some(Stop::Anew) {
            return Err(Stop::Anew);
        }
        let run = adversary.make_anyway(point.case, &point.trail.turns())?;
        let operations = point.operations.len();
        let words = |returned: &Returned| adversary.journal(returned, operations);
        attacked.verdict = Verdict::Violated;
        attacked.violation = Some(Violation {
            case: point.case,
            journal: words(&returned),
            gaps: gaps(&point),
            instead: { instead.iter() }
                .map(|other| other.as_ref().map(words))
                .collect(),
            operations: point.operations.to_vec(),
            run,
        });
    } else if attacked.histories == 0 {
        attacked.verdict = Verdict::Blocked;
        let run = adversary.make_anyway(0, &[])?;
        attacked.stuck = Some((run, adversary.method(0)));
    }
    attacked.executions = adversary.executions;
    Ok(attacked)
}

/// Whatever was not seen may be otherwise.
fn stopped(adversary: &Adversary<'_, '_>, stop: Stop) -> Attacked {
    let verdict = match stop {
        Stop::Untouched => Verdict::Untouched,
        Stop::Because(reason) => Verdict::Inconclusive(reason),
        Stop::Anew => {
            let reason = "what the objects of the method are called changes without an end";
            Verdict::Inconclusive(reason.to_owned())
        }
    };
    Attacked {
        verdict,
        ..Attacked::nothing(adversary)
    }
}

impl Attacked {
    /// So far nothing is wrong.
    fn nothing(adversary: &Adversary<'_, '_>) -> Attacked {
        Attacked {
            verdict: Verdict::Atomic,
            violation: None,
            stuck: None,
            violating: Vec::new(),
            executions: adversary.executions,
            pruned: adversary.pruned,
            blocked: adversary.blocked,
            histories: adversary.histories,
        }
    }
}

/// Says which histories have an explanation.
#[derive(Default)]
struct Judge {
    histories: u64,
    shortest: Option<Unexplained>,
    violating: Vec<Vec<u32>>,
}

/// A history without an explanation.
struct Unexplained {
    point: Point,
    returned: Returned,
    instead: Vec<Option<Returned>>,
}

/// Where the method may have taken effect: before so many operations.
fn gaps(point: &Point) -> RangeInclusive<usize> {
    match point.effect {
        Some(gap) => gap..=gap,
        None => 0..=point.in_time,
    }
}

impl Judge {
    fn look(
        &mut self,
        adversary: &mut Adversary<'_, '_>,
        point: &Point,
        returned: &Returned,
    ) -> Result<(), Stop> {
        self.histories += 1;
        adversary.histories = self.histories;
        adversary.go_on()?;
        let mut instead = Vec::new();
        // What others have done last is most often what it came after.
        for gap in gaps(point).rev() {
            let other = adversary.alone(point, gap)?;
            if other.as_ref() == Some(returned) {
                return Ok(());
            }
            instead.push(other);
        }
        instead.reverse();
        let mut set = point.operations.to_vec();
        set.sort_unstable();
        set.dedup();
        if !self.violating.contains(&set) {
            self.violating.push(set);
        }
        let length = |point: &Point| (point.operations.len(), point.trail.len());
        let is_shorter =
            { self.shortest.as_ref() }.is_none_or(|known| length(point) < length(&known.point));
        if is_shorter {
            self.shortest = Some(Unexplained {
                point: point.clone(),
                returned: returned.clone(),
                instead,
            });
        }
        Ok(())
    }
}
