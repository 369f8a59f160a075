//! What the attributes write; not for anybody else.

#[cfg(commute)]
mod call;
#[cfg(not(commute))]
mod off;
#[cfg(commute)]
mod on;
#[cfg(commute)]
pub(crate) mod own_object;
mod shown;
mod test;

pub use crate::compose::domain::derived;
#[cfg(commute)]
pub use call::{Call, Modelled};
#[cfg(not(commute))]
pub use off::{Block, Call, Kind, Method, Modelled, Region};
#[cfg(commute)]
pub use on::{Block, Kind, Method, Region};
pub use shown::{
    Shown, ShownAsValue, ShownByDebug, ShownOpaque, ShownOptionAsValue, ShownOptionByDebug,
};
pub use test::{Ended, block_on, explored_only, must_panic, test};

#[cfg(commute)]
pub use std::thread_local as real_thread_local;
