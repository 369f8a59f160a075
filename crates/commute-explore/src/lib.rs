//! Every outcome of a concurrent test.
//!
//! A [`Program`] is a test that can be started again and again. Its threads do
//! operations on objects, one after the other, and nothing else is visible to other
//! threads: a thread that got the same results does the same next. What an operation
//! does and returns is said by the [`Model`] of its object, so most of what a program
//! can do is found out without running it. [`Knowledge`] is what is known of a program
//! so far: its names, its operations, and the code of its threads as far as it was
//! seen.
//!
//! An [`Engine`] decides which runs there are. What it may leave out, and
//! what it promises, is on the first lines of its file.

mod act;
mod calls;
mod cause;
mod code;
mod conflict;
mod digest;
mod engine;
mod exchange;
mod knowledge;
mod learnt;
mod model;
pub mod models;
mod program;
mod renaming;
mod replay;
mod report;
mod restart;
mod run;
pub mod runtime;
pub mod scripted;
mod session;
mod settings;
mod shorten;
mod steady;
mod story;
mod subject;
pub mod thesis;
mod turns;
mod words;
mod world;

pub use act::{Act, Invoked};
pub use cause::Cause;
pub use code::{End, Next, NodeId};
pub use conflict::conflicts;
pub use engine::{
    Engine, Extent, Limits,
    dpor::Dpor,
    exhaustive::Exhaustive,
    mcr::Mcr,
    named,
    ncmc::Ncmc,
    outcomes::{Outcomes, Seen},
    pct::Pct,
    random::Random,
};
pub use knowledge::Knowledge;
pub use model::{Called, Label, Model, Shown, Stepped};
pub use program::{Program, Trouble};
pub use report::{
    Composed, Conflict, Interruption, Part, Report, Story, Told, Verdict, Waiting, Wrong,
};
pub use restart::explore_with;
pub use run::{Begun, Ending, Failure, Moment, Places, Run, Step};
pub use session::{Listener, explore};
pub use settings::{
    Before, Library, Memory, Message, PROTOCOL, Planned, Progress, Settings, Shard,
};
pub use story::{story, waits};
pub use subject::{Anew, Counts, Subject, Watch};
pub use words::{ObjectId, OpId, Operation, ResultId, ThreadId};
pub use world::{StateId, World};
