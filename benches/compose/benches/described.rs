//! A method and its environment, as random tests see them: things that can be called with
//! drawn arguments.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::arguments::{Argument, Drawn};
use crate::script::Script;

type Run<T> = Box<dyn Fn(&T, Drawn) -> String + Send + Sync>;

/// Something that can be called.
pub(crate) struct Callable<T> {
    run: Run<T>,
    /// How many numbers are in its argument.
    pub(crate) numbers: usize,
}

impl<T> Callable<T> {
    fn new<A, R>(function: impl Fn(&T, A) -> R + Send + Sync + 'static) -> Callable<T>
    where
        A: Argument,
        R: Debug,
    {
        let run = move |object: &T, drawn| {
            let call = || format!("{:?}", function(object, A::made_of(drawn)));
            catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| "panicked".to_owned())
        };
        Callable {
            run: Box::new(run),
            numbers: A::NUMBERS,
        }
    }

    /// What it returned, as text.
    pub(crate) fn call(&self, object: &T, drawn: Drawn) -> String {
        (self.run)(object, drawn)
    }
}

/// What was said of a method.
pub(crate) struct Described<T> {
    method: Option<Callable<T>>,
    peers: Vec<Callable<T>>,
    pub(crate) observers: Vec<Callable<T>>,
    pub(crate) beginnings: Vec<Callable<T>>,
    calls_itself: bool,
}

impl<T> Described<T> {
    pub(crate) fn new() -> Described<T> {
        Described {
            method: None,
            peers: Vec::new(),
            observers: Vec::new(),
            beginnings: Vec::new(),
            calls_itself: true,
        }
    }

    /// Others use what it uses, but do not call the method.
    pub(crate) fn without_itself(self) -> Described<T> {
        Described {
            calls_itself: false,
            ..self
        }
    }

    pub(crate) fn its_method(&self) -> &Callable<T> {
        self.method.as_ref().expect("a script names a method")
    }

    /// What others may call: so many things.
    pub(crate) fn others(&self) -> usize {
        self.peers.len() + self.observers.len() + usize::from(self.calls_itself)
    }

    pub(crate) fn other(&self, index: usize) -> &Callable<T> {
        let mut all = self.peers.iter().chain(&self.observers);
        all.nth(index).unwrap_or_else(|| self.its_method())
    }
}

impl<T> Script<T> for Described<T> {
    fn method<A, R, F>(mut self, method: F) -> Self
    where
        A: Argument,
        R: Debug,
        F: Fn(&T, A) -> R + Send + Sync + 'static,
    {
        self.method = Some(Callable::new(method));
        self
    }

    fn peer<A, R, F>(mut self, _: &str, peer: F) -> Self
    where
        A: Argument,
        R: Debug,
        F: Fn(&T, A) -> R + Send + Sync + 'static,
    {
        self.peers.push(Callable::new(peer));
        self
    }

    fn observe<A, R, F>(mut self, _: &str, observer: F) -> Self
    where
        A: Argument,
        R: Debug,
        F: Fn(&T, A) -> R + Send + Sync + 'static,
    {
        self.observers.push(Callable::new(observer));
        self
    }

    fn also_from<A, F>(mut self, beginning: F) -> Self
    where
        A: Argument,
        F: Fn(&T, A) + Send + Sync + 'static,
    {
        self.beginnings.push(Callable::new(beginning));
        self
    }
}
