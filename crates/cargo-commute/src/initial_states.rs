//! The initial states of objects that a trace file does not record: a reading of the file
//! of their own, for the rare trace of which one reading is not enough.

use std::sync::Arc;

use commute_detect::{InferInitial, InitialStates};
use commute_spec::Library;

use crate::cli::Shared;
use crate::examine::Origin;
use crate::reading::Reading;
use crate::trace::open;

/// Why a trace that cannot be read again is not clean.
pub(crate) const TOO_LATE: &str = "the trace shows only later how many permits, values or \
    parties an object had at first, and cannot be read again: races may be missing; check it \
    as a file, or record the number, as in `new(s:semaphore(2))`";

/// Reads a file for the initial states of its objects, as far as it can be read.
pub(crate) fn infer(origin: &Origin, library: &Arc<Library>, shared: &Shared) -> InitialStates {
    let mut pass = InferInitial::new(library.clone());
    let Ok(mut reader) = open(&origin.path, shared) else {
        return InitialStates::default();
    };
    for (name, type_name) in &shared.object {
        let names = reader.names_mut();
        let (object, type_id) = (names.objects.intern(name), names.types.intern(type_name));
        pass.declare(object, type_id, names);
    }
    let mut reading = Reading::new(reader, origin, shared);
    while let Ok((events, names)) = reading.next()
        && !events.is_empty()
    {
        pass.steps(events, names);
    }
    pass.finish()
}
