//! Whether what was returned can be explained.
//!
//! A history is explained by a gap in the sequence of operations of the environment: if
//! the method is run there, as a whole, everything returns the same, and the same is to
//! be seen afterwards. Where the environment came after the method had ended, so does it
//! in the explanation.
//!
//! Claims: exact, for the histories that were looked at.

use commute_explore::{Run, Subject, ThreadId};
use rustc_hash::FxHashMap;

use crate::adversary::{Adversary, Enough, History, Point, Stop};
use crate::journal::{Journal, Returned, Shared};
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
    /// What would have been, with the method before so many operations; nothing where
    /// somebody would have had to wait.
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
        let told = match searched {
            Err(stop) if judge.shortest.is_none() => Err(stop),
            searched => tell(&mut adversary, judge, searched.err()),
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
    stopped: Option<Stop>,
) -> Result<Attacked, Stop> {
    let mut attacked = Attacked::nothing(adversary);
    attacked.histories = judge.histories;
    attacked.violating = judge.violating;
    if let Some((history, instead)) = judge.shortest {
        if stopped == Some(Stop::Anew) {
            return Err(Stop::Anew);
        }
        let turns: Vec<u32> = history.made.iter().map(|made| made.by).collect();
        let run = adversary.make_anyway(history.case, &turns)?;
        let operations = history.operations.len();
        let words = |returned: &Returned| adversary.journal(returned, operations);
        attacked.verdict = Verdict::Violated;
        attacked.violation = Some(Violation {
            case: history.case,
            journal: words(&history.returned),
            instead: { instead.iter() }
                .map(|other| other.as_ref().map(words))
                .collect(),
            operations: history.operations,
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
    shortest: Option<(History, Vec<Option<Returned>>)>,
    violating: Vec<Vec<u32>>,
    /// What would have been, by case, operations, and how many came before the method.
    known: FxHashMap<(u32, Vec<u32>, usize), Option<Returned>>,
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
        for gap in 0..=point.in_time {
            let other = self.alone(adversary, point.case, &point.operations, gap)?;
            if other.as_ref() == Some(returned) {
                return Ok(());
            }
            instead.push(other);
        }
        let mut set = point.operations.clone();
        set.sort_unstable();
        set.dedup();
        if !self.violating.contains(&set) {
            self.violating.push(set);
        }
        let length = (point.operations.len(), point.made.len());
        let is_shorter = { self.shortest.as_ref() }
            .is_none_or(|(known, _)| length < (known.operations.len(), known.made.len()));
        if is_shorter {
            let history = History {
                case: point.case,
                made: point.made.clone(),
                operations: point.operations.clone(),
                returned: returned.clone(),
            };
            self.shortest = Some((history, instead));
        }
        Ok(())
    }

    /// What is returned if nobody interrupts the method.
    fn alone(
        &mut self,
        adversary: &mut Adversary<'_, '_>,
        case: u32,
        operations: &[u32],
        gap: usize,
    ) -> Result<Option<Returned>, Stop> {
        let key = (case, operations.to_vec(), gap);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let returned = run_alone(adversary, case, operations, gap)?;
        self.known.insert(key, returned.clone());
        Ok(returned)
    }
}

fn run_alone(
    adversary: &mut Adversary<'_, '_>,
    case: u32,
    operations: &[u32],
    gap: usize,
) -> Result<Option<Returned>, Stop> {
    let Some(mut point) = adversary.beginning(case)? else {
        return Ok(None);
    };
    let (before, after) = operations.split_at(gap);
    for operation in before {
        match adversary.inject(&point, *operation)? {
            Some(next) => point = next,
            None => return Ok(None),
        }
    }
    while let Some(next) = adversary.method_step(&point)? {
        point = next;
    }
    if !adversary.is_over(&point) {
        return Ok(None);
    }
    for operation in after {
        match adversary.inject(&point, *operation)? {
            Some(next) => point = next,
            None => return Ok(None),
        }
    }
    adversary.returned_by(&point)
}
