//! Prediction: what another run of the same threads could do.

pub mod references;
