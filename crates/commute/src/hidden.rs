//! What the attributes write; not for anybody else.

#[cfg(not(commute))]
mod off;
#[cfg(commute)]
mod on;
mod shown;

#[cfg(not(commute))]
pub use off::{Block, Call, Kind, Method, Region};
#[cfg(commute)]
pub use on::{Block, Call, Kind, Method, Region};
pub use shown::{Shown, ShownAsValue, ShownByDebug, ShownOpaque};
