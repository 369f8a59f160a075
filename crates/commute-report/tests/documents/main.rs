//! The forms that are one document. Bless with
//! `UPDATE_EXPECT=1 cargo test -p commute-report`.

mod example;
mod html;
mod junit;
mod sarif;
mod schema;
