//! The steps of a run as actions: what a thread did to one object while nobody else could
//! see what it did.

use commute_model::Value;

use crate::act::Act;
use crate::knowledge::Knowledge;
use crate::model::Called;
use crate::run::Step;
use crate::words::{ObjectId, ThreadId};
use crate::world::World;

/// What a thread did to an object, from one step to another.
pub(super) struct Action {
    pub(super) thread: ThreadId,
    pub(super) object: ObjectId,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) does: Act,
    /// Whether only its first step matters: the others give back what it took.
    only_looks: bool,
}

impl Action {
    /// The last step that is to be shown.
    pub(super) fn shown_to(&self) -> usize {
        match self.only_looks {
            true => self.first,
            false => self.last,
        }
    }

    /// What it is called.
    pub(super) fn call(&self) -> Option<String> {
        match &self.does {
            Act::Call(invoked) => Some(invoked.text()),
            _ => None,
        }
    }
}

/// Something that a thread has taken and not given back.
struct Held {
    /// The place of the action.
    action: usize,
    key: Value,
    found: Value,
    left: Value,
    /// Whether more was seen.
    more: bool,
}

/// All of them, in the order in which they began. There is a world for each step, in which
/// it was made.
pub(super) fn actions(steps: &[Step], worlds: &[World], known: &Knowledge) -> Vec<Action> {
    let mut all: Vec<Action> = Vec::new();
    let mut held: Vec<Held> = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let operation = known.operation(step.op);
        for object in &operation.objects {
            let call = Called {
                method: operation.method,
                args: &operation.args,
                result: known.value(step.result),
            };
            let state = known.state(&worlds[place], *object);
            let act = known.model(*object).act(state, call);
            let is_mine = |held: &Held, key: &Value| {
                let action = &all[held.action];
                action.thread == step.thread && action.object == *object && held.key == *key
            };
            if let Act::Leaves { key, left, goes } = &act
                && let Some(at) = held.iter().rposition(|held| is_mine(held, key))
            {
                all[held[at].action].last = place;
                if let Some(left) = left {
                    held[at].left = left.clone();
                }
                if *goes {
                    end(held.remove(at), &mut all, known);
                }
                continue;
            }
            if let Act::Takes { key, found, more } = &act {
                held.push(Held {
                    action: all.len(),
                    key: key.clone(),
                    found: found.clone(),
                    left: found.clone(),
                    more: *more,
                });
            }
            all.push(Action {
                thread: step.thread,
                object: *object,
                first: place,
                last: place,
                does: act,
                only_looks: false,
            });
        }
    }
    // Who never gives it back.
    for held in held {
        end(held, &mut all, known);
    }
    all
}

fn end(held: Held, all: &mut [Action], known: &Knowledge) {
    let action = &mut all[held.action];
    let model = known.model(action.object);
    action.does = match held.more {
        true => Act::Unknown,
        false => model.held(&held.key, &held.found, &held.left),
    };
    let is_whole = matches!(action.does, Act::Section { .. } | Act::Once { .. });
    action.only_looks = held.found == held.left && !is_whole;
}
