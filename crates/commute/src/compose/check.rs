//! A check, and what comes of it.

use std::fmt::{self, Debug};
use std::future::Future;
use std::rc::Rc;

use super::checked::{Checked, Outcome};
use super::domain::Domain;
use super::environment::Environment;

/// Values of an argument, if nobody says how many.
const VALUES: u128 = 64;

/// Something that can be done to an object, with its arguments; what it returned.
pub(super) struct Operation<T> {
    /// What it is called.
    pub(super) name: String,
    /// With its arguments.
    pub(super) shown: String,
    pub(super) run: Rc<dyn Fn(&T) -> String>,
}

impl<T> Clone for Operation<T> {
    fn clone(&self) -> Operation<T> {
        Operation {
            name: self.name.clone(),
            shown: self.shown.clone(),
            run: Rc::clone(&self.run),
        }
    }
}

/// Who does something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Method,
    Peer,
    Observer,
    Beginning,
    /// An operation of a collection; whether it only looks.
    Collection(bool),
}

/// A check of a method: see [`check`].
pub struct Check<T> {
    pub(super) new: Rc<dyn Fn() -> T>,
    pub(super) operations: Vec<(Role, Operation<T>)>,
    pub(super) environment: Environment,
    pub(super) steps: usize,
    pub(super) most: Option<usize>,
    pub(super) prunes: bool,
    pub(super) overlaps: bool,
    /// Why it cannot be made at all.
    pub(super) objections: Vec<String>,
    /// What was left out.
    pub(super) cuts: Vec<String>,
    /// What is to be said beside the verdict.
    #[cfg(commute)]
    pub(super) notes: Vec<String>,
}

/// Checks a method of what `new` makes: the same whenever it is called.
///
/// See the [module](super).
pub fn check<T: 'static>(new: impl Fn() -> T + 'static) -> Check<T> {
    Check {
        new: Rc::new(new),
        operations: Vec::new(),
        environment: Environment::client(),
        steps: 2,
        most: None,
        prunes: true,
        overlaps: false,
        objections: Vec::new(),
        cuts: Vec::new(),
        #[cfg(commute)]
        notes: Vec::new(),
    }
}

impl<T: 'static> Check<T> {
    /// The method, which is run with every value of its argument. Several arguments are a
    /// tuple, none is `()`.
    #[must_use]
    pub fn method<A, R>(self, method: impl Fn(&T, A) -> R + 'static) -> Check<T>
    where
        A: Domain + Debug,
        R: Debug,
    {
        self.add(Role::Method, "itself", method)
    }

    /// An `async` method: its future is driven to its end.
    #[must_use]
    pub fn method_async<A, R>(self, method: impl AsyncFn(&T, A) -> R + 'static) -> Check<T>
    where
        A: Domain + Debug,
        R: Debug,
    {
        self.add(Role::Method, "itself", move |object, argument| {
            drive(method(object, argument))
        })
    }

    /// What other threads may call.
    #[must_use]
    pub fn peer<A, R>(self, name: &str, peer: impl Fn(&T, A) -> R + 'static) -> Check<T>
    where
        A: Domain + Debug,
        R: Debug,
    {
        self.add(Role::Peer, name, peer)
    }

    /// The same for what is `async`.
    #[must_use]
    pub fn peer_async<A, R>(self, name: &str, peer: impl AsyncFn(&T, A) -> R + 'static) -> Check<T>
    where
        A: Domain + Debug,
        R: Debug,
    {
        self.add(Role::Peer, name, move |object, argument| {
            drive(peer(object, argument))
        })
    }

    /// What other threads may look at. It changes nothing, and everything is looked at
    /// when all is done.
    #[must_use]
    pub fn observe<A, R>(self, name: &str, observer: impl Fn(&T, A) -> R + 'static) -> Check<T>
    where
        A: Domain + Debug,
        R: Debug,
    {
        self.add(Role::Observer, name, observer)
    }

    /// A further state to begin in: what `new` makes, after this. There is one for each
    /// value of the argument.
    #[must_use]
    pub fn also_from<A>(self, beginning: impl Fn(&T, A) + 'static) -> Check<T>
    where
        A: Domain + Debug,
    {
        self.add(Role::Beginning, "state", beginning)
    }

    /// What other threads may do. [`Environment::client`], if nothing is said.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Check<T> {
        self.environment = environment;
        self
    }

    /// How many operations of other threads there are in a run, at most. Two, if nothing
    /// is said.
    #[must_use]
    pub fn steps(mut self, steps: usize) -> Check<T> {
        self.steps = steps;
        self
    }

    /// Tries so many values of each argument, from here on. If there are more, the check is
    /// inconclusive.
    #[must_use]
    pub fn at_most(mut self, values: usize) -> Check<T> {
        self.most = Some(values);
        self
    }

    /// What others do may also be interrupted, by the method and by each other. Then it is
    /// not only the method that has to be atomic: all calls together have to be
    /// linearizable.
    ///
    /// ```
    /// use commute::compose::check;
    /// use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
    ///
    /// check(AtomicU32::default)
    ///     .method(|n: &AtomicU32, ()| n.load(SeqCst))
    ///     .peer("add", |n: &AtomicU32, ()| n.fetch_add(1, SeqCst))
    ///     .overlapping()
    ///     .assert_atomic();
    /// ```
    #[must_use]
    pub fn overlapping(mut self) -> Check<T> {
        self.overlaps = true;
        self
    }

    /// Tries also what cannot come to anything else: only to see that it does not.
    #[must_use]
    pub fn exhaustive(mut self) -> Check<T> {
        self.prunes = false;
        self
    }

    fn add<A, R>(
        mut self,
        role: Role,
        name: &str,
        operation: impl Fn(&T, A) -> R + 'static,
    ) -> Check<T>
    where
        A: Domain + Debug,
        R: Debug,
    {
        #[cfg(commute)]
        super::made::register::<A>();
        let operation = Rc::new(operation);
        let count = A::count();
        let most = self.most.map_or(VALUES, |most| most as u128);
        if count > most {
            match self.most {
                Some(most) => {
                    let text = format!("of {count} arguments of `{name}`, {most} were tried");
                    self.cuts.push(text);
                }
                None => {
                    self.objections.push(format!(
                        "`{name}` has {count} arguments: say how many of them are to be tried, \
                         with `.at_most(N)` before it, or give it a smaller type"
                    ));
                    return self;
                }
            }
        }
        for argument in A::values().take(usize::try_from(most).unwrap_or(usize::MAX)) {
            let shown = match role {
                Role::Method => shown("method", &argument),
                _ => shown(name, &argument),
            };
            let operation = Rc::clone(&operation);
            let run = move |object: &T| format!("{:?}", operation(object, argument.clone()));
            let operation = Operation {
                name: name.to_owned(),
                shown,
                run: Rc::new(run),
            };
            self.operations.push((role, operation));
        }
        self
    }

    pub(super) fn all(&self, role: Role) -> impl Iterator<Item = &Operation<T>> {
        let all = self.operations.iter().filter(move |(r, _)| *r == role);
        all.map(|(_, operation)| operation)
    }

    /// Whether a collection was named.
    #[cfg(commute)]
    pub(super) fn has_collection(&self) -> bool {
        let mut roles = self.operations.iter().map(|(role, _)| *role);
        roles.any(|role| matches!(role, Role::Collection(_)))
    }

    /// What is looked at when all is done.
    #[cfg(commute)]
    pub(super) fn observers(&self) -> Vec<&Operation<T>> {
        let looks = |role: &Role| match role {
            Role::Observer => true,
            Role::Collection(looks) => *looks && self.environment.is_open,
            _ => false,
        };
        let all = self.operations.iter().filter(|(role, _)| looks(role));
        all.map(|(_, operation)| operation).collect()
    }

    /// What comes of it.
    #[cfg(commute)]
    #[track_caller]
    pub fn run(self) -> Checked {
        super::attack::run(self)
    }

    /// What comes of it: in a normal build, that the method was run once.
    #[cfg(not(commute))]
    pub fn run(self) -> Checked {
        self.run_once()
    }

    /// Runs the method once, alone.
    pub(super) fn run_once(&self) -> Checked {
        let object = (self.new)();
        if let Some(method) = self.all(Role::Method).next() {
            (method.run)(&object);
        }
        Checked {
            outcome: Outcome::Untested,
            text: String::new(),
            executions: 1,
            pruned: 0,
            histories: 1,
            only_without: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Panics if the method is not atomic, or if that cannot be said.
    #[track_caller]
    pub fn assert_atomic(self) {
        let checked = self.run();
        #[cfg(commute)]
        super::done::asserted();
        match checked.outcome {
            Outcome::Atomic | Outcome::Untested => {}
            _ => panic!("{checked}"),
        }
    }
}

/// A call, in words: `finish(1)`.
fn shown(name: &str, argument: &impl Debug) -> String {
    let argument = format!("{argument:?}");
    match argument.starts_with('(') {
        // A tuple has brackets of its own.
        true => format!("{name}{argument}"),
        false => format!("{name}({argument})"),
    }
}

fn drive<R>(future: impl Future<Output = R>) -> R {
    crate::future::block_on(future)
}

/// Whatever is checked need not be `Clone`: it is made anew.
impl<T> Clone for Check<T> {
    fn clone(&self) -> Check<T> {
        Check {
            new: Rc::clone(&self.new),
            operations: self.operations.clone(),
            environment: self.environment.clone(),
            steps: self.steps,
            most: self.most,
            prunes: self.prunes,
            overlaps: self.overlaps,
            objections: self.objections.clone(),
            cuts: self.cuts.clone(),
            #[cfg(commute)]
            notes: self.notes.clone(),
        }
    }
}

impl<T> Debug for Check<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operations = self.operations.iter().map(|(_, o)| &o.shown);
        f.debug_struct("Check")
            .field("operations", &operations.collect::<Vec<_>>())
            .field("environment", &self.environment)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
