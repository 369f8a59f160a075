//! Runs of the program, as the adversary asks for them.

use commute_explore::{Ending, Moment, Run, ThreadId};

use crate::adversary::{Adversary, Stop};
use crate::journal::TextId;
use crate::setting::METHOD;
use crate::walk::{chooses, chosen, is_over};

impl Adversary<'_, '_> {
    /// Runs the program: as said, then whoever was last to the end, the method, and all
    /// observations.
    pub(crate) fn make(&mut self, case: u32, turns: &[u32]) -> Result<Run, Stop> {
        self.go_on()?;
        self.make_anyway(case, turns)
    }

    /// The same, to learn what the last one does: observations are made only if it is one.
    pub(crate) fn learn(&mut self, case: u32, turns: &[u32]) -> Result<(), Stop> {
        self.go_on()?;
        let last = turns.last().and_then(|last| self.setting.thread(*last));
        let observes = last.is_some_and(|last| self.setting.as_observer(last).is_some());
        self.run(case, turns, observes)?;
        Ok(())
    }

    /// The same, also if it is enough: for what is to be told.
    pub(crate) fn make_anyway(&mut self, case: u32, turns: &[u32]) -> Result<Run, Stop> {
        self.run(case, turns, true)
    }

    fn run(&mut self, case: u32, turns: &[u32], observes: bool) -> Result<Run, Stop> {
        self.executions += 1;
        let setting = self.setting;
        let mut starts: Vec<u32> = Vec::new();
        let observers = match observes {
            true => setting.observers,
            false => 0,
        };
        let observers = (0..observers).map(|o| setting.observer(o));
        let method = setting.number(case, METHOD);
        let last = turns.last().map_or(method, |last| *last);
        let then: Vec<u32> = { [last, method].into_iter() }
            .chain(observers.map(|observer| setting.number(case, observer)))
            .collect();
        for by in turns.iter().chain(&then) {
            let thread = setting.thread(*by);
            starts.extend(thread.filter(|thread| !starts.contains(thread)));
        }
        let threads = &self.cast.threads;
        let (mut started, mut done) = (0, 0);
        let mut has_case = false;
        let run = self.subject.run(&mut |moment: Moment<'_>| {
            let main = moment.places[0]?;
            if !chooses(main, moment.known) && !is_over(main, moment.known) {
                return { moment.enabled.contains(&ThreadId::MAIN) }.then_some(ThreadId::MAIN);
            }
            if !has_case {
                has_case = true;
                moment.known.decide(chosen(case));
                return Some(ThreadId::MAIN);
            }
            if let Some(start) = starts.get(started) {
                started += 1;
                moment.known.decide(chosen(*start));
                return Some(ThreadId::MAIN);
            }
            let planned = turns.get(done).map(|by| threads[*by as usize]);
            done += 1;
            let next = planned.or_else(|| unplanned(&moment, threads, &then));
            if next.is_none() && chooses(main, moment.known) {
                // To return is quicker than to be unwound.
                moment.known.decide(chosen(setting.threads()));
                return Some(ThreadId::MAIN);
            }
            next.filter(|thread| moment.enabled.contains(thread))
        });
        let mut differs = None;
        for (thread, text) in &self.journal.borrow().texts {
            let number = setting.number(case, *thread);
            let id = threads[number as usize];
            if let Some(Some(place)) = run.places.get(id.index()) {
                let text = self.texts.number(text);
                let before = self.by_place.insert(*place, text);
                if let Some(before) = before.filter(|before| !self.texts.is_alike(*before, text)) {
                    differs = Some((*thread, before, text));
                }
            }
        }
        let known = &self.subject.known;
        let used = run
            .steps
            .iter()
            .flat_map(|step| &known.operation(step.op).objects);
        self.names.were_used(used.copied(), known);
        match &run.ending {
            Ending::Trouble(_) if self.subject.must_begin_anew() => Err(Stop::Anew),
            Ending::Trouble(trouble) => Err(Stop::Because(self.subject.why(trouble))),
            Ending::Bound => Err(Stop::Because(
                "a run has too many steps: is there a loop without an end?".to_owned(),
            )),
            _ => match differs {
                Some((thread, one, other)) => Err(self.chance(thread, one, other)),
                None => Ok(run),
            },
        }
    }

    /// That something returns now this, now that, although it has seen the same.
    fn chance(&self, thread: u32, one: TextId, other: TextId) -> Stop {
        let who = match thread {
            METHOD => "the method",
            _ if self.setting.as_operation(thread).is_some() => "what others do",
            _ => "what is looked at",
        };
        Stop::Because(format!(
            "{who} is not the same in every run: it returned {} in one and {} in another, where \
             all that it had seen was the same. Does it count, look at a clock or at chance, or \
             return a pointer? (Where it matters only which one it is, return \
             `commute::compose::fresh(number)` or `same(&arc)`.)",
            self.texts.text(one),
            self.texts.text(other),
        ))
    }
}

/// Who goes on where nothing was said: the first of these, or whom they have started.
fn unplanned(moment: &Moment<'_>, threads: &[ThreadId], then: &[u32]) -> Option<ThreadId> {
    let can = |by: u32| {
        let thread = threads[by as usize];
        let place = moment.places.get(thread.index()).copied().flatten()?;
        let is_enabled = moment.enabled.contains(&thread) && !is_over(place, moment.known);
        is_enabled.then_some(thread)
    };
    let numbered = |thread: &&ThreadId| moment.known.parent(**thread).is_none();
    let mut then = then.iter();
    then.find_map(|by| can(*by))
        .or_else(|| moment.enabled.iter().find(|t| !numbered(t)).copied())
}
