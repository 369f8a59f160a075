//! The program that is attacked: a method, and threads for everything that others may do.

use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;

use commute_compose::{Setting, Shared};
use commute_explore::models;
use commute_explore::runtime::{self, Call, First, Object, Returned};
use commute_record::Value;

use super::{fresh, offered, story};

/// What can be run again and again.
pub(super) struct Arena<T> {
    pub(super) new: Rc<dyn Fn() -> T>,
    /// Where each case begins, and what the method is then.
    pub(super) cases: Vec<(Option<Work<T>>, Work<T>)>,
    pub(super) operations: Vec<Work<T>>,
    pub(super) observers: Vec<Work<T>>,
    pub(super) texts: Shared,
    pub(super) setting: Setting,
    pub(super) at: &'static Location<'static>,
}

pub(super) type Work<T> = Rc<dyn Fn(&T) -> String>;

impl<T: 'static> Arena<T> {
    /// One run: who does what is chosen from outside.
    pub(super) fn run(self: &Rc<Self>) {
        self.texts.borrow_mut().texts.clear();
        offered::begin();
        fresh::kept::release_all();
        let choice = runtime::Mark::default();
        let Some(case) = choose(&choice) else { return };
        let object = Rc::new((self.new)());
        runtime::name_inside(&*object);
        if let Some((Some(begin), _)) = self.cases.get(case) {
            begin(&object);
        }
        offered::made(&*object);
        // A number that no thread has is the end.
        let threads = self.setting.threads();
        while let Some(thread) = choose(&choice).map(|n| n as u32).filter(|n| *n < threads) {
            self.start(case, thread, &object);
        }
    }

    /// What the thread with this number does.
    fn work(&self, case: usize, thread: u32) -> Option<&Work<T>> {
        let setting = &self.setting;
        if thread == 0 {
            return self.cases.get(case).map(|(_, method)| method);
        }
        match setting.as_operation(thread) {
            Some(operation) => self.operations.get(operation as usize),
            None => self.observers.get(setting.as_observer(thread)? as usize),
        }
    }

    fn start(self: &Rc<Self>, case: usize, thread: u32, object: &Rc<T>) {
        let (arena, object) = (Rc::clone(self), Rc::clone(object));
        let work = move || {
            let begin = runtime::Mark::default();
            choose(&begin);
            if let Some(work) = arena.work(case, thread) {
                let returned = returned(work, &object);
                arena.texts.borrow_mut().texts.push((thread, returned));
            }
        };
        // Who is unwound because the run is over must not unwind us.
        let job = || match catch_unwind(AssertUnwindSafe(work)) {
            Ok(()) => Returned::Value(Value::unit()),
            Err(_) => Returned::Panicked,
        };
        let mark = runtime::Mark::default();
        let model = || {
            First::new(
                Arc::new(models::Thread),
                Value::Nil,
                "thread",
                Some(self.at),
            )
        };
        let objects = [Object {
            mark: &mark,
            first: &model,
        }];
        let call = Call::new(&objects, "spawn", &[], self.at);
        let number = self.setting.number(case as u32, thread);
        let name = story::thread_name(thread, &self.setting);
        runtime::spawn_numbered(&call, number, name, Box::new(job));
    }
}

fn choose(choice: &runtime::Mark) -> Option<usize> {
    match runtime::choose(choice)? {
        Value::Int(n) => usize::try_from(n).ok(),
        _ => None,
    }
}

/// What something returns, or that it panicked.
fn returned<T>(work: &Work<T>, object: &T) -> String {
    match catch_unwind(AssertUnwindSafe(|| work(object))) {
        Ok(text) => text,
        Err(payload) if runtime::is_stopped() => resume_unwind(payload),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            format!("panicked: {}", text.unwrap_or("with something"))
        }
    }
}
