//! `exhaustive`: every interleaving. The oracle of all other engines.
//!
//! Claims: complete, by definition; stateless, so every order of steps is run, and most
//! runs are redundant. Cost: the number of interleavings. With a bound on preemptions it
//! sees every run that keeps to it, and says that there may be others.

use std::ops::ControlFlow;

use super::preemptions::Preemptions;
use super::{Engine, Extent, TOO_LONG};
use crate::run::Ending;
use crate::subject::{Subject, Watch};
use crate::words::ThreadId;

/// Every interleaving.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exhaustive {
    /// How often a run may interrupt a thread that could go on.
    pub preemptions: Option<usize>,
}

/// A choice that was made, and what else there was.
struct Choice {
    enabled: Vec<ThreadId>,
    chosen: usize,
}

impl Engine for Exhaustive {
    fn name(&self) -> &'static str {
        "exhaustive"
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
        let mut choices: Vec<Choice> = Vec::new();
        let mut bounded = Preemptions::reason(self.preemptions);
        loop {
            let (queue, share) = left(&choices);
            watch.left(queue, Some(share));
            if let Some(reason) = watch.enough() {
                return Extent::Some(reason);
            }
            let mut depth = 0;
            let mut preemptions = Preemptions::new(self.preemptions);
            let run = subject.run(&mut |moment| {
                if depth == choices.len() {
                    choices.push(Choice {
                        enabled: preemptions.allowed(&moment),
                        chosen: 0,
                    });
                }
                let choice = &choices[depth];
                depth += 1;
                preemptions.count(&moment, choice.enabled[choice.chosen]);
                Some(choice.enabled[choice.chosen])
            });
            match &run.ending {
                Ending::Bound => bounded = Some(TOO_LONG.to_owned()),
                Ending::Trouble(trouble) => bounded = Some(format!("{trouble:?}")),
                _ => {}
            }
            if subject.show(&run, watch) == ControlFlow::Break(()) {
                return Extent::Some("stopped".to_owned());
            }
            while let Some(last) = choices.last_mut() {
                last.chosen += 1;
                if last.chosen < last.enabled.len() {
                    break;
                }
                choices.pop();
            }
            if choices.is_empty() {
                return bounded.map_or(Extent::Everything, Extent::Some);
            }
        }
    }
}

/// How many choices are left, and which share of all runs is done if those behind each
/// choice are as many as behind the others there.
fn left(choices: &[Choice]) -> (usize, f64) {
    let (mut queue, mut share, mut weight) = (0, 0.0, 1.0);
    for choice in choices {
        queue += choice.enabled.len() - choice.chosen - 1;
        weight /= choice.enabled.len() as f64;
        share += weight * choice.chosen as f64;
    }
    (queue + 1, share)
}
