//! The words for [`Orders`].

use crate::specification::Orders;

impl Orders {
    /// All of them.
    pub const ALL: &[Orders] = &[
        Orders::Atomic,
        Orders::Channel,
        Orders::Mpsc,
        Orders::Barrier,
    ];

    /// The word after `orders`.
    pub fn name(self) -> &'static str {
        match self {
            Orders::Atomic => "atomic",
            Orders::Channel => "channel",
            Orders::Mpsc => "mpsc",
            Orders::Barrier => "barrier",
        }
    }
}
