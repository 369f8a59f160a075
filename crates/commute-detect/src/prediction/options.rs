//! What a prediction may be told.

use super::legal::Legal;

/// What a prediction may be told.
#[derive(Clone, Debug)]
pub struct Options {
    /// Also report that two events can come in the other order if a value flows
    /// between them.
    pub all_orders: bool,
    /// Whether being freed, closed or cancelled is nothing that an event notices.
    /// Nothing that is found so is certain.
    pub lax: bool,
    /// What library actions may not notice.
    pub legal: Legal,
    /// How much the search for one witness may cost: states that it looks at, and
    /// the size of every set of events for which it works out what must come
    /// before what.
    pub budget: usize,
    /// How many events back a witness may begin.
    pub window: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            all_orders: false,
            lax: false,
            legal: Legal::default(),
            budget: 8_000,
            window: 10_000,
        }
    }
}

impl Options {
    /// The index up to which only the last accesses of a thread are paired with the event
    /// at `index`. An earlier pair has mostly left the window when the search for its
    /// witness begins.
    #[inline]
    pub(super) fn since(&self, index: u64) -> u64 {
        index.saturating_sub(self.window as u64 / 2)
    }

    /// What differs from the default, as the command line has it.
    pub(super) fn flags(&self) -> String {
        let default = Options::default();
        let mut flags = String::new();
        if self.all_orders {
            flags.push_str(" --all-orders");
        }
        if self.legal != default.legal {
            let word = match self.legal {
                Legal::Order => "order",
                Legal::Observe => "observe",
                Legal::Replay => "replay",
            };
            flags.push_str(&format!(" --legal {word}"));
        }
        if self.budget != default.budget {
            flags.push_str(&format!(" --budget {}", self.budget));
        }
        if self.window != default.window {
            flags.push_str(&format!(" --window {}", self.window));
        }
        flags
    }
}
