//! Objects are used between `new` and `drop`.

use commute_model::{Id, ObjectId};

use super::{At, Report, state};

#[derive(Default, Debug)]
pub(super) struct Objects {
    objects: Vec<Life>,
}

#[derive(Clone, Copy, Default, Debug)]
enum Life {
    /// Neither created nor dropped: declared on the command line.
    #[default]
    Unknown,
    Created(At),
    Dropped(At),
}

impl Objects {
    pub(super) fn new_object(&mut self, object: ObjectId, report: &mut Report<'_>) {
        let life = state(&mut self.objects, object.index());
        if let Life::Created(at) = life {
            let (name, line) = (report.names.objects.name(object), at.line);
            report.error(format!(
                "`{name}` is created again; it lives since line {line}"
            ));
        }
        *life = Life::Created(report.at);
    }

    pub(super) fn drop_object(&mut self, object: ObjectId, report: &mut Report<'_>) {
        let life = state(&mut self.objects, object.index());
        if let Life::Dropped(at) = life {
            let (name, line) = (report.names.objects.name(object), at.line);
            report.error(format!(
                "`{name}` is dropped again; it was dropped at line {line}"
            ));
        }
        *life = Life::Dropped(report.at);
    }

    pub(super) fn action(&mut self, object: ObjectId, report: &mut Report<'_>) {
        if let Life::Dropped(at) = state(&mut self.objects, object.index()) {
            let (name, line) = (report.names.objects.name(object), at.line);
            report.error(format!("`{name}` is used, but was dropped at line {line}"));
        }
    }
}
