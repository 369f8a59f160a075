//! What a program has to choose from, and which threads it has then.

/// What there is to choose from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Initial states, each with arguments of the method.
    pub cases: u32,
    /// Operations of the environment.
    pub operations: u32,
    /// What is looked at when all is done.
    pub observers: u32,
    /// So many operations of the environment in a run.
    pub steps: u32,
    /// Whether operations of the environment interrupt each other, too, and not only the
    /// method.
    pub overlap: bool,
    /// Whether histories are left out that can only have the same results as others.
    pub prune: bool,
}

impl Setting {
    /// The number of the thread that makes an operation for the n-th time.
    pub fn operation(&self, operation: u32, nth: u32) -> u32 {
        1 + nth * self.operations + operation
    }

    /// What the thread with this number is, if it makes an operation.
    pub fn as_operation(&self, thread: u32) -> Option<u32> {
        let number = thread.checked_sub(1)?;
        (number < self.operations * self.steps).then(|| number % self.operations)
    }

    /// The number of the thread that makes an observation.
    pub fn observer(&self, observer: u32) -> u32 {
        1 + self.operations * self.steps + observer
    }

    /// What the thread with this number is, if it makes an observation.
    pub fn as_observer(&self, thread: u32) -> Option<u32> {
        thread.checked_sub(self.observer(0))
    }

    /// What a thread of a case is known by. Only methods differ from case to case, so what
    /// others do has to be learnt once.
    pub fn number(&self, case: u32, thread: u32) -> u32 {
        match thread {
            METHOD => case,
            _ => self.cases + thread - 1,
        }
    }

    /// The thread with this number, if it is one of ours.
    pub(crate) fn thread(&self, number: u32) -> Option<u32> {
        match number.checked_sub(self.cases) {
            None => Some(METHOD),
            Some(thread) => (thread + 1 < self.threads()).then_some(thread + 1),
        }
    }

    /// How many numbers there are.
    pub(crate) fn numbers(&self) -> u32 {
        self.cases + self.threads() - 1
    }

    /// How many threads there may be.
    pub fn threads(&self) -> u32 {
        self.observer(self.observers)
    }
}

/// The thread of the method.
pub(crate) const METHOD: u32 = 0;
