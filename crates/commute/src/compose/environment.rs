//! What other threads may do.

/// What other threads may do while a method runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Environment {
    /// Whether they may call the peers of the method.
    pub(super) has_peers: bool,
    /// Whether they may use the collections that the method uses, too.
    pub(super) is_open: bool,
    pub(super) without: Vec<String>,
}

impl Environment {
    /// They call the method itself, and what [`peer`](super::Check::peer) and
    /// [`observe`](super::Check::observe) were given.
    pub fn client() -> Environment {
        Environment {
            has_peers: true,
            is_open: false,
            without: Vec::new(),
        }
    }

    /// They do whatever can be done to the collections that the method uses.
    pub fn open() -> Environment {
        Environment {
            has_peers: false,
            is_open: true,
            without: Vec::new(),
        }
    }

    /// They call the method itself, and look.
    pub fn itself() -> Environment {
        Environment {
            has_peers: false,
            is_open: false,
            without: Vec::new(),
        }
    }

    /// The same, but nobody does this. The method itself is called `itself`.
    #[must_use]
    pub fn without(mut self, name: &str) -> Environment {
        self.without.push(name.to_owned());
        self
    }
}
