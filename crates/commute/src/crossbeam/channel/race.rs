//! Selections in a test that is explored.
//!
//! Any operation that is possible may be chosen. Each but the first is tried by a thread
//! of its own, which does that and nothing else, and the one that comes first is chosen:
//! [`commute_explore::models::Selection`] says how. So every choice is an order of steps.
//!
//! Where nothing is waited for, the operations are looked at one after the other in any
//! order, as the original does: what is ready is not looked for all at once.

use std::cell::Cell;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use commute_explore::runtime::{local, misuse, stuck, surprise};
use commute_record::Value;

use super::handle::{Token, keep};
use super::shared::{At, Channel};
use crate::explored::mpmc::Race;
use crate::explored::thread;

/// How a selection is made.
#[derive(Clone, Copy)]
pub(super) struct How {
    /// Whether it waits for something to be possible.
    pub(super) waits: bool,
    /// Whether nothing is done.
    pub(super) looks: bool,
    /// Whether what comes first is preferred.
    pub(super) biased: bool,
}

/// How often several channels may be found not ready in a row, at the same place. Loops
/// that look at one thing are recognised; a selection is more than a look.
const IN_VAIN: u32 = 500;

/// An end of a channel whose operation may be chosen.
pub(super) struct End<T> {
    pub(super) channel: Arc<Channel<T>>,
    pub(super) sends: bool,
}

/// The same, of any type of messages.
pub(super) trait Operation {
    /// Tries it, against others; what was promised if it was chosen. A step.
    fn race(&self, race: &Race, number: usize, how: How, at: At) -> Option<Token>;

    /// Tries it, if it is the only one.
    fn alone(&self, how: How, at: At) -> Option<Token>;
}

impl<T> End<T> {
    fn method(&self, how: How) -> &'static str {
        match (how.waits, how.looks, self.sends) {
            (true, false, false) => "select_recv",
            (true, false, true) => "select_send",
            (true, true, false) => "ready_recv",
            (true, true, true) => "ready_send",
            (false, false, false) => "try_select_recv",
            (false, false, true) => "try_select_send",
            (false, true, false) => "try_ready_recv",
            (false, true, true) => "try_ready_send",
        }
    }

    fn note(&self, how: How) {
        if self.channel.capacity() == Some(0) {
            self.channel.note_meeting(self.sends, !how.looks);
        }
    }

    /// Does what was chosen. Only senders and receivers that go make a channel
    /// disconnected, and the last receiver is counted here as in the model.
    fn choose(&self, how: How) -> Token {
        let mut state = self.channel.lock();
        let hands_over = state.hands_over();
        match (self.sends, hands_over) {
            _ if how.looks => Token::Disconnected,
            (true, _) if state.receivers == 0 => Token::Disconnected,
            (true, false) => Token::Place(state.store.promise(), Value::Nil),
            (true, true) => match state.store.promise_to_hand() {
                Some(place) => Token::Place(place, Value::Nil),
                None => Token::Disconnected,
            },
            (false, _) => {
                let message = match hands_over {
                    false => state.store.pop(),
                    true => state.store.take(),
                };
                match message {
                    Some(message) => keep(&mut state.taken, message),
                    None => Token::Disconnected,
                }
            }
        }
    }
}

impl<T> Operation for End<T> {
    fn race(&self, race: &Race, number: usize, how: How, at: At) -> Option<Token> {
        self.note(how);
        let model = self.channel.model(at);
        match model.race(race, self.method(how), number) {
            Some(true) => Some(self.choose(how)),
            Some(false) => None,
            None => stuck("a selection is made"),
        }
    }

    fn alone(&self, how: How, at: At) -> Option<Token> {
        self.note(how);
        match self.channel.model(at).alone(self.method(how)) {
            Some(Some(result)) => Some(agreed(self.choose(how), result, how)),
            Some(None) => None,
            None => stuck("a selection is made"),
        }
    }
}

/// What was promised, if the model says the same.
fn agreed(token: Token, result: Value, how: How) -> Token {
    match (token, result) {
        (token, _) if how.looks => token,
        (Token::Place(place, _), name @ Value::Int(_)) => Token::Place(place, name),
        (token @ Token::Message(_), Value::Tuple(_)) => token,
        (token @ Token::Disconnected, Value::Nil) => token,
        (token, result) => {
            surprise(format!("select = {result}"), format!("select = {token:?}"));
            token
        }
    }
}

/// Selects one of these: its place among them, and what was promised.
pub(super) fn select<'a>(
    operations: &[Arc<dyn Operation + 'a>],
    how: How,
    at: At,
) -> Option<(usize, Token)> {
    if let [operation] = operations {
        return Some((0, operation.alone(how, at)?));
    }
    if how.biased {
        let looks_first = How {
            waits: false,
            ..how
        };
        let race = Race::new(operations.len(), at);
        for (number, operation) in operations.iter().enumerate() {
            if let Some(token) = operation.race(&race, number, looks_first, at) {
                return decided(&race, Some((number, token)), how);
            }
        }
        if !how.waits {
            in_vain(at);
            return None;
        }
    }
    let race = Arc::new(Race::new(operations.len(), at));
    if !race.begin() {
        stuck("a selection is made");
    }
    let winner: Arc<Mutex<Option<(usize, Token)>>> = Arc::default();
    let try_it = |number: usize| {
        let (race, winner) = (Arc::clone(&race), Arc::clone(&winner));
        let operation = Arc::clone(&operations[number]);
        move || {
            if let Some(token) = operation.race(&race, number, how, at) {
                let mut winner = winner.lock().unwrap_or_else(PoisonError::into_inner);
                *winner = Some((number, token));
            }
        }
    };
    for number in 1..operations.len() {
        // It may come when this selection is over, and what its channel has messages of
        // is gone. Then it is not chosen, and only the name of the channel is used; if it
        // has the channel alone, there are no receivers, so there are no messages.
        thread::spawn(Some("select".to_owned()), Box::new(try_it(number)), at);
    }
    if !operations.is_empty() {
        try_it(0)();
    }
    let winner = || winner.lock().unwrap_or_else(PoisonError::into_inner).take();
    match race.chosen() {
        Some(Some((number, result))) => {
            local(key(), Cell::<InVain>::default).inspect(|seen| seen.set(None));
            match winner() {
                Some((real, token)) if real == number => Some((number, agreed(token, result, how))),
                other => {
                    let real = other.map(|(number, _)| number);
                    surprise(format!("operation {number}"), format!("{real:?}"));
                    stuck("a selection is made")
                }
            }
        }
        Some(None) => {
            in_vain(at);
            None
        }
        None => stuck("a selection is made"),
    }
}

/// What was chosen in order.
fn decided(race: &Race, chosen: Option<(usize, Token)>, how: How) -> Option<(usize, Token)> {
    let (number, token) = chosen?;
    match race.chosen() {
        Some(Some((_, result))) => Some((number, agreed(token, result, how))),
        _ => stuck("a selection is made"),
    }
}

/// Where a thread was last in vain, and how often in a row.
type InVain = Option<(*const (), u32)>;

fn key() -> usize {
    static IN_VAIN_OF: u8 = 0;
    ptr::from_ref(&IN_VAIN_OF).addr()
}

/// Nothing was ready.
fn in_vain(at: At) {
    let Some(seen) = local(key(), Cell::<InVain>::default) else {
        return;
    };
    let place = ptr::from_ref(at).cast::<()>();
    let count = match seen.get() {
        Some((other, count)) if ptr::eq(other, place) => count + 1,
        _ => 1,
    };
    seen.set(Some((place, count)));
    if count > IN_VAIN {
        misuse(format!(
            "a selection found nothing ready {IN_VAIN} times in a row at {at}: a loop that \
             waits for several channels must wait in the selection, without `default`"
        ));
    }
}
