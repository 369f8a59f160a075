//! Random operations at random moments of a method that runs in one thread.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use crate::described::Described;
use crate::history::{Plan, Told};
use crate::random::Random;
use crate::rivals::{Found, Search};
use crate::stepped;

/// What is done while the method runs.
struct Round<T> {
    object: T,
    plan: Plan,
    /// Before which step each operation is made, in order.
    moments: Vec<usize>,
    /// Steps that the method has begun.
    steps: Cell<usize>,
    /// What operations have returned so far.
    others: RefCell<Vec<String>>,
}

pub(crate) fn search<T: Default + 'static>(described: Described<T>, search: &Search) -> Found {
    let described = Rc::new(described);
    let mut random = Random(1);
    let mut found = Found::default();
    // As many steps as the method made when it ran last are what it will make, about.
    let mut steps = 1;
    let started = Instant::now();
    while search.goes_on(&mut found, started) {
        found.runs += 1;
        let plan = Plan::new(&described, &mut random, search.keys);
        let moment = |_| random.below(steps + 1);
        let mut moments: Vec<usize> = plan.others.iter().map(moment).collect();
        moments.sort_unstable();
        let round = Rc::new(Round {
            object: plan.begin(&described),
            plan,
            moments,
            steps: Cell::new(0),
            others: RefCell::default(),
        });
        if !round.run(&described) {
            found.violations += 1;
        }
        steps = round.steps.get();
    }
    found
}

impl<T: Default + 'static> Round<T> {
    /// Whether what is seen can be explained.
    fn run(self: &Rc<Self>, described: &Rc<Described<T>>) -> bool {
        let (round, by) = (Rc::clone(self), Rc::clone(described));
        stepped::before_steps(move || {
            round.others_until(round.steps.get(), &by);
            round.steps.set(round.steps.get() + 1);
        });
        let method = described.its_method().call(&self.object, self.plan.method);
        stepped::forget();
        let in_time = self.others.borrow().len();
        self.others_until(usize::MAX, described);
        let told = Told {
            method,
            others: self.others.take(),
            in_time,
        };
        let seen = self.plan.seen(described, &self.object);
        self.plan.explains(described, &told, &seen)
    }

    /// Makes operations of others whose moment has come.
    fn others_until(&self, moment: usize, described: &Described<T>) {
        let mut others = self.others.borrow_mut();
        while self
            .moments
            .get(others.len())
            .is_some_and(|when| *when <= moment)
        {
            let call = self.plan.others[others.len()];
            others.push(described.other(call.of).call(&self.object, call.drawn));
        }
    }
}
