//! A register that nothing protects.

use std::panic::Location;

use commute_record::{Kind, Method, Order, Raw, Tag, action, is_on};

static REGISTER: Kind = Kind::object("probe", "register");
static READ: Method = Method::new("read");
static WRITE: Method = Method::new("write");

pub(crate) struct Probe(Tag);

impl Probe {
    pub(crate) fn new() -> Probe {
        let probe = Probe(Tag::new(&REGISTER));
        probe.0.name("probe");
        probe
    }

    #[track_caller]
    pub(crate) fn read(&self) {
        if is_on() {
            let (order, at) = (Order::AmongOthers, Location::caller());
            action(&self.0, &READ, order, at, &[], &[Raw::Int(0)]);
        }
    }

    #[track_caller]
    pub(crate) fn write(&self) {
        if is_on() {
            let (order, at) = (Order::AmongOthers, Location::caller());
            action(&self.0, &WRITE, order, at, &[Raw::Int(0)], &[]);
        }
    }
}
