//! Blocks, recorded.

use std::panic::Location;

pub use commute_record::{Block, Kind, Method};
use commute_record::{begin, end, is_on};

/// An atomic block that is being executed.
#[derive(Debug)]
pub struct Region {
    block: Option<&'static Block>,
    at: &'static Location<'static>,
}

impl Region {
    /// Enters a block.
    #[track_caller]
    pub fn enter(block: &'static Block) -> Region {
        let at = Location::caller();
        let block = is_on().then_some(block);
        if let Some(block) = block {
            begin(block, at);
        }
        Region { block, at }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if let Some(block) = self.block {
            end(block, self.at);
        }
    }
}
