//! Senders and receivers that come and go.

use commute_record::Raw;

use super::shared::{At, CLOSE, Channel, DISCONNECT, State};

impl<T> Channel<T> {
    pub(super) fn add_sender(&self, at: At) {
        self.tell_explored("clone_sender", at);
        self.lock().senders += 1;
    }

    pub(super) fn add_receiver(&self, at: At) {
        self.tell_explored("clone_receiver", at);
        self.lock().receivers += 1;
    }

    /// A sender is gone; the last one disconnects the channel.
    pub(super) fn drop_sender(&self, at: At) {
        self.tell_explored("drop_sender", at);
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
        self.drop_receiver_explored(at);
        let mut state = self.lock();
        state.receivers -= 1;
        state.gone.add(at);
        if state.receivers == 0 {
            state.gone.find(at);
            self.act(&CLOSE, at, &[], &[Raw::Bool(true)]);
            state.wake();
            self.end_if_last(&state);
            // With what selections have taken and nobody has asked for.
            let taken = std::mem::take(&mut state.taken);
            let messages = std::mem::take(&mut state.messages);
            let messages = (messages, state.store.leave(), taken);
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
