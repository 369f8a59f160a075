//! `commute::Domain`: what the types of std and derived ones have for values.

mod domains;
