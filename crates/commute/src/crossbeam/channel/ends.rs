//! Senders and receivers that come and go.

use commute_record::Raw;

use super::shared::{At, CLOSE, Channel, DISCONNECT, State};

impl<T> Channel<T> {
    pub(super) fn add_sender(&self) {
        self.lock().senders += 1;
    }

    pub(super) fn add_receiver(&self) {
        self.lock().receivers += 1;
    }

    /// A sender is gone; the last one disconnects the channel.
    pub(super) fn drop_sender(&self, at: At) {
        let mut state = self.lock();
        state.senders -= 1;
        state.gone.add(at);
        if state.senders == 0 {
            state.gone.find(at);
            self.act(&DISCONNECT, at, &[], &[]);
            state.wake();
            self.end_if_last(&state);
            drop(state);
            self.filled.notify_all();
        }
    }

    /// A receiver is gone; with the last one go the messages that nobody will receive.
    pub(super) fn drop_receiver(&self, at: At) {
        let mut state = self.lock();
        state.receivers -= 1;
        state.gone.add(at);
        if state.receivers == 0 {
            state.gone.find(at);
            self.act(&CLOSE, at, &[], &[Raw::Bool(true)]);
            state.wake();
            self.end_if_last(&state);
            let messages = std::mem::take(&mut state.messages);
            drop(state);
            self.emptied.notify_all();
            drop(messages);
        }
    }

    /// Whoever is the last comes after all others. The memory may be given back by
    /// one who does not.
    fn end_if_last(&self, state: &State<T>) {
        if state.senders == 0 && state.receivers == 0 {
            self.tag.end();
            state.gone.end();
            if let Some(room) = &state.room {
                room.end();
            }
        }
    }
}
