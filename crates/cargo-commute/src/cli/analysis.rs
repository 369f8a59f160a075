//! The options that say what is looked for in a trace, and how.

use clap::{Args, ValueEnum};
use commute_detect::Legal;

/// What is looked for, and how.
#[derive(Args, Debug)]
pub(crate) struct AnalysisArgs {
    /// Run only this analysis; may be repeated
    #[arg(long, value_name = "ANALYSIS", value_delimiter = ',')]
    pub only: Vec<Analysis>,
    /// How atomicity is decided (default aerodrome), or what is predicted by
    /// (default cone)
    #[arg(long, value_name = "NAME")]
    pub algorithm: Vec<Algorithm>,
    /// Blocks that should be atomic, by name or, without a name, by location;
    /// a glob, or `@FILE` with one a line; may be repeated [default: all]
    #[arg(long, value_name = "PATTERN")]
    pub atomic: Vec<String>,
    /// Blocks that need not be atomic; the blocks inside them then count
    #[arg(long, value_name = "PATTERN")]
    pub not_atomic: Vec<String>,
    /// Stop at the first finding
    #[arg(long)]
    pub fail_fast: bool,
    /// Findings that fail the run although they are not certain
    #[arg(long, value_name = "CERTAINTY")]
    pub deny: Vec<Deny>,
    #[command(flatten)]
    pub prediction: PredictionArgs,
}

/// What a prediction may be told.
#[derive(Args, Debug)]
#[command(next_help_heading = "Prediction")]
pub(crate) struct PredictionArgs {
    /// Also report that two operations can come in the other order if a value
    /// flows between them
    #[arg(long)]
    pub all_orders: bool,
    /// Being freed, closed or cancelled is nothing that an operation notices:
    /// finds more, and nothing that is certain
    #[arg(long)]
    pub lax: bool,
    /// What library actions may not notice in a reordering
    #[arg(long, value_name = "READING", default_value = "observe")]
    pub legal: Reading,
    /// How much the search for one witness may cost, in states and events looked at
    #[arg(long, value_name = "COST", default_value_t = commute_detect::Options::default().budget)]
    pub budget: usize,
    /// How many events back a witness may begin
    #[arg(long, value_name = "EVENTS", default_value_t = commute_detect::Options::default().window)]
    pub window: usize,
}

impl PredictionArgs {
    /// What the pass is told.
    pub(crate) fn options(&self) -> commute_detect::Options {
        commute_detect::Options {
            all_orders: self.all_orders,
            lax: self.lax,
            legal: match self.legal {
                Reading::Order => Legal::Order,
                Reading::Observe => Legal::Observe,
                Reading::Replay => Legal::Replay,
            },
            budget: self.budget,
            window: self.window,
        }
    }
}

/// What library actions may not notice in a reordering.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// Nothing that they do not commute with is swapped or missing
    Order,
    /// The same, but what changed nothing may be missing
    Observe,
    /// Their type's model returns what was recorded
    Replay,
}

/// Findings that may be made to fail a run.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deny {
    /// Neither observed nor certified
    Unconfirmed,
}

impl AnalysisArgs {
    /// The analyses to be run.
    pub(crate) fn analyses(&self) -> Vec<Analysis> {
        let wanted = |analysis: &Analysis| self.only.is_empty() || self.only.contains(analysis);
        Analysis::ALL.iter().copied().filter(wanted).collect()
    }
}

/// How atomicity is decided, or what is predicted by.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Algorithm {
    /// Vector clocks, shared: fast
    Aerodrome,
    /// Vector clocks as published: slow, for comparison
    AerodromeBasic,
    /// The graph of transactions: slower
    Velodrome,
    /// Prediction by what must have happened before, with witnesses
    Cone,
    /// Prediction by happens-before, for comparison
    Hb,
    /// Prediction by weak doesn't-commute, for comparison
    Wdc,
    /// Prediction by extended doesn't-commute, for comparison
    Edc,
    /// The same with bounded tracking of critical sections, for comparison
    Ccs,
}

/// An analysis of a trace.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Analysis {
    /// Commutativity races (CM101)
    Races,
    /// Data races (CM102)
    DataRaces,
    /// Atomicity violations (CM111)
    Atomicity,
    /// Races and order violations that did not happen, but can (CM103, CM121,
    /// CM122)
    Prediction,
}

impl Analysis {
    /// All analyses.
    pub(crate) const ALL: &[Analysis] = &[
        Analysis::Races,
        Analysis::DataRaces,
        Analysis::Atomicity,
        Analysis::Prediction,
    ];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Analysis::Races => "races",
            Analysis::DataRaces => "data-races",
            Analysis::Atomicity => "atomicity",
            Analysis::Prediction => "prediction",
        }
    }
}
