//! Prediction by one of several algorithms.

use std::sync::Arc;

use commute_detect::prediction::references::{Bounds, Reference, ReferencePass};
use commute_detect::{EventError, Objects, Options, Pass, Prediction};
use commute_model::{Event, Finding, Names, ObjectId, TypeId};
use commute_spec::Library;

use crate::cli::Algorithm;

/// A pass that predicts.
#[derive(Clone)]
pub(crate) enum Predictor {
    /// With witnesses.
    Cone(Box<Prediction>),
    /// For comparison.
    Reference(Box<ReferencePass>),
}

impl Predictor {
    /// The pass of the last algorithm that is one of prediction.
    pub(crate) fn new(algorithms: &[Algorithm], options: Options, library: Arc<Library>) -> Self {
        let reference = |algorithm: &Algorithm| match algorithm {
            Algorithm::Cone => Some(None),
            Algorithm::Hb => Some(Some(Reference::HappensBefore)),
            Algorithm::Wdc => Some(Some(Reference::Wdc)),
            Algorithm::Edc => Some(Some(Reference::Edc)),
            Algorithm::Ccs => Some(Some(Reference::Ccs(Bounds::default()))),
            Algorithm::Aerodrome | Algorithm::AerodromeBasic | Algorithm::Velodrome => None,
        };
        match algorithms.iter().rev().find_map(reference).flatten() {
            Some(reference) => {
                Predictor::Reference(Box::new(ReferencePass::new(reference, library)))
            }
            None => Predictor::Cone(Box::new(Prediction::new(library, options))),
        }
    }

    pub(crate) fn declare(
        &mut self,
        object: ObjectId,
        type_id: TypeId,
        names: &Names,
    ) -> Result<(), EventError> {
        match self {
            Predictor::Cone(pass) => pass.declare(object, type_id, names),
            Predictor::Reference(pass) => pass.declare(object, type_id, names),
        }
    }

    pub(crate) fn steps(&mut self, events: &[Event], names: &Names) -> Result<(), EventError> {
        match self {
            Predictor::Cone(pass) => pass.steps(events, names),
            Predictor::Reference(pass) => pass.steps(events, names),
        }
    }

    /// Whether something certain was found.
    pub(crate) fn found(&self) -> bool {
        matches!(self, Predictor::Cone(pass) if pass.found())
    }

    /// How many events were taken.
    pub(crate) fn events(&self) -> u64 {
        match self {
            Predictor::Cone(pass) => pass.events(),
            Predictor::Reference(pass) => pass.events(),
        }
    }

    pub(crate) fn finish(&mut self, names: &Names) -> Vec<Finding> {
        let mut findings = Vec::new();
        match self {
            Predictor::Cone(pass) => pass.finish(names, &mut findings),
            Predictor::Reference(pass) => pass.finish(names, &mut findings),
        }
        findings
    }

    pub(crate) fn objects(&self) -> Option<&Objects> {
        match self {
            Predictor::Cone(pass) => Some(pass.objects()),
            Predictor::Reference(_) => None,
        }
    }

    /// Candidates that were not looked at.
    pub(crate) fn dropped(&self) -> u64 {
        match self {
            Predictor::Cone(pass) => pass.dropped(),
            Predictor::Reference(_) => 0,
        }
    }
}
