//! Whether a method is atomic, by the definition: all histories on plain data.

use super::drawn::Case;
use super::plain::State;
use super::program::{Program, Returned};

/// A program with its argument.
type Task<'a> = (&'a Program, u32);

/// A method in a state to begin in.
struct Attack<'a> {
    start: State,
    method: Task<'a>,
    environment: Vec<Task<'a>>,
    observers: Vec<Task<'a>>,
    steps: usize,
}

/// When which operation of the environment is done: before the step of the method with
/// this number. Behind the last step there are two more moments, before and after the
/// method has returned.
type Plan = Vec<(usize, usize)>;

/// What anybody can tell of a history.
#[derive(PartialEq)]
struct Seen {
    method: Returned,
    environment: Vec<Returned>,
    observers: Vec<Returned>,
}

fn with_arguments(program: &Program) -> impl Iterator<Item = Task<'_>> {
    program.arguments().iter().map(move |n| (program, *n))
}

/// Whether the method is atomic in all histories. Nothing, if there are more than `most`.
pub(crate) fn is_atomic(case: &Case, most: usize) -> Option<bool> {
    let start = State::new(&case.kinds);
    let mut starts = vec![start.clone()];
    for task in case.beginnings.iter().flat_map(with_arguments) {
        let mut state = start.clone();
        alone(task, &mut state).expect("beginnings do not panic");
        starts.push(state);
    }
    let of_all = |programs: Vec<_>| programs.into_iter().flat_map(with_arguments).collect();
    let (mut histories, mut is_atomic) = (0, true);
    for start in starts {
        for method in with_arguments(&case.method) {
            let attack = Attack {
                start: start.clone(),
                method,
                environment: of_all(case.environment()),
                observers: of_all(case.observers.iter().collect()),
                steps: case.steps,
            };
            attack.explore(&mut Vec::new(), &mut |is_explained| {
                is_atomic &= is_explained;
                histories += 1;
                histories <= most
            });
        }
    }
    (histories <= most).then_some(is_atomic)
}

impl Attack<'_> {
    /// Tells of this history, and of all that go on from it, whether the method looks
    /// atomic, as long as somebody wants to know.
    fn explore(&self, plan: &mut Plan, tell: &mut dyn FnMut(bool) -> bool) -> bool {
        let Some((seen, steps)) = self.interleaved(plan) else {
            return true;
        };
        if !tell(self.is_explained(plan, steps, &seen)) {
            return false;
        }
        if plan.len() == self.steps {
            return true;
        }
        let first = plan.last().map_or(0, |(moment, _)| *moment);
        // Observers look after the method has returned, nobody else has to.
        let last = steps + usize::from(self.observers.is_empty());
        (first..=last).all(|moment| {
            (0..self.environment.len()).all(|operation| {
                plan.push((moment, operation));
                let goes_on = self.explore(plan, tell);
                plan.pop();
                goes_on
            })
        })
    }

    /// What is seen if all goes as planned, and how many steps the method made. Nothing,
    /// if somebody waits for a lock of the method.
    fn interleaved(&self, plan: &Plan) -> Option<(Seen, usize)> {
        let mut state = self.start.clone();
        let mut plan = plan.iter().peekable();
        let mut environment = Vec::new();
        let mut steps = 0;
        let (method, argument) = self.method;
        let method = state.run(method, argument, &mut |state| {
            while let Some((_, operation)) = plan.next_if(|(moment, _)| *moment == steps) {
                environment.push(alone(self.environment[*operation], state));
            }
            steps += 1;
        });
        for (_, operation) in plan {
            environment.push(alone(self.environment[*operation], &mut state));
        }
        let observers = self.observed(&mut state);
        let seen = Seen {
            method,
            environment,
            observers,
        };
        (!state.is_blocked).then_some((seen, steps))
    }

    /// Whether the method could have been run at one moment: not after an operation that
    /// began when it had returned.
    fn is_explained(&self, plan: &Plan, steps: usize, seen: &Seen) -> bool {
        let in_time = { plan.iter() }
            .filter(|(moment, _)| *moment <= steps)
            .count();
        (0..=in_time).any(|gap| self.sequential(plan, gap) == *seen)
    }

    /// What is seen if the method runs alone, after so many operations of the environment.
    fn sequential(&self, plan: &Plan, gap: usize) -> Seen {
        let mut state = self.start.clone();
        let (before, after) = plan.split_at(gap);
        let mut environment = Vec::new();
        for (_, operation) in before {
            environment.push(alone(self.environment[*operation], &mut state));
        }
        let method = alone(self.method, &mut state);
        for (_, operation) in after {
            environment.push(alone(self.environment[*operation], &mut state));
        }
        let observers = self.observed(&mut state);
        Seen {
            method,
            environment,
            observers,
        }
    }

    fn observed(&self, state: &mut State) -> Vec<Returned> {
        let observers = self.observers.iter();
        observers.map(|task| alone(*task, state)).collect()
    }
}

/// Runs something with nobody in between.
fn alone((program, argument): Task<'_>, state: &mut State) -> Returned {
    state.run(program, argument, &mut |_| {})
}
