//! Whether a test does the same again when nothing that is seen differs.
//!
//! An exploration takes it for granted that a thread which got the same results does the
//! same next. A test with one outcome runs once, so that nobody would notice if it did
//! not. So the first schedule is run some more times; such runs are not counted. Gaps: a
//! test that seldom does something else, and one that only computes something else.

use std::time::{Duration, Instant};

use crate::program::Trouble;
use crate::run::{Ending, Run};
use crate::subject::Subject;
use crate::words::Operation;

/// Runs, as long as there is time.
const RUNS: usize = 10;

/// Time for them; one is made in any case.
const TIME: Duration = Duration::from_millis(20);

/// What a test does differently that is run again like this.
pub(crate) fn difference(subject: &mut Subject<'_>, first: &Run) -> Option<Trouble> {
    let begin = Instant::now();
    for _ in 0..RUNS {
        let again = rerun(subject, first);
        if let Some(trouble) = differs(first, &again) {
            return Some(trouble);
        }
        if begin.elapsed() > TIME {
            break;
        }
    }
    None
}

/// Whether it fails like this whenever it is run in the same order, and what it printed
/// the first time that it did.
pub(crate) fn fails(
    subject: &mut Subject<'_>,
    like: &Run,
    is_failure: &dyn Fn(&Run, &Subject<'_>) -> bool,
) -> (bool, String) {
    let begin = Instant::now();
    let mut kept = None;
    let mut always = true;
    for _ in 0..RUNS {
        let (again, output) = subject.overhear(|subject| rerun(subject, like));
        match is_failure(&again, subject) {
            true => drop(kept.get_or_insert(output)),
            false => always = false,
        }
        if begin.elapsed() > TIME {
            break;
        }
    }
    (always, kept.unwrap_or_default())
}

/// Runs it again in the same order.
pub(crate) fn rerun(subject: &mut Subject<'_>, like: &Run) -> Run {
    let mut done = 0;
    subject.run(&mut |moment| {
        let planned = like.steps.get(done).map(|step| step.thread);
        done += 1;
        let planned = planned.filter(|thread| moment.enabled.contains(thread));
        Some(planned.unwrap_or_else(|| moment.straight_on()))
    })
}

fn differs(first: &Run, again: &Run) -> Option<Trouble> {
    let text = match &again.ending {
        Ending::Trouble(Trouble::Restart(_)) => "another object was used".to_owned(),
        Ending::Trouble(trouble) => return Some(trouble.clone()),
        _ if first.failure != again.failure => {
            let said = |run: &Run| match &run.failure {
                Some(failure) => format!("it panicked once ({})", first_line(&failure.message)),
                None => "no thread panicked".to_owned(),
            };
            format!("{}, and then {}", said(first), said(again))
        }
        ending if *ending != first.ending => "it ended in another way".to_owned(),
        _ => return None,
    };
    let text = format!("in the same order of steps, {text}");
    Some(Trouble::Chance(text))
}

/// Returns how the second of two operations differs that have the same text.
pub(crate) fn other_than([before, now]: [&Operation; 2]) -> &'static str {
    let is_release = before.method.contains("unlock") || before.method.contains("downgrade");
    if before.objects != now.objects {
        "the same with another object, which was made in the same place"
    } else if is_release && before.args.len() < now.args.len() {
        "the same after it had changed what the lock protects"
    } else if is_release && before.args.len() > now.args.len() {
        "the same without having changed what the lock protects"
    } else {
        "the same with other arguments, which have no text"
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns the reason why the verdict of a test that is not deterministic is inconclusive,
/// with a line for each cause that is known.
pub(crate) fn unsteady(what: &str, causes: &[String]) -> String {
    let mut text = format!("the test is not the same in every run: {what}");
    for cause in causes {
        text.push('\n');
        text += cause;
    }
    if causes.is_empty() {
        text += "\nit asks neither for the time nor for random numbers and makes no hash map of \
                 its own: an address may decide it, a file, an atomic of std, or a static \
                 variable that is not of `commute::sync`";
    }
    text
}

#[cfg(test)]
mod tests {
    use commute_model::Value;

    use super::*;
    use crate::words::ObjectId;

    #[test]
    fn operations_with_the_same_text_are_told_apart() {
        let unlock = |object: u32, args: &[i128]| {
            let args = args.iter().map(|arg| Value::Int(*arg));
            Operation::new(ObjectId(object), "unlock", args)
        };
        let (kept, changed) = (unlock(1, &[0]), unlock(1, &[0, 7]));
        let check = |before: &Operation, now: &Operation, words: &str| {
            let found = other_than([before, now]);
            assert!(found.contains(words), "{found}");
        };
        check(&kept, &changed, "after it had changed");
        check(&changed, &kept, "without having changed");
        check(&kept, &unlock(2, &[0]), "another object");
        check(&changed, &unlock(1, &[0, 8]), "other arguments");
    }
}
