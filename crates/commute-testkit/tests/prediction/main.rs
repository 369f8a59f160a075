//! The oracle of predictions: traces whose answer is known, and random ones on
//! which the search is held against the definition.

mod by_hand;
mod definition;
mod known;
mod random;
