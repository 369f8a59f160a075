//! One number per kind of operation. Numbers are part of the format: they are
//! never changed, only added to (with a new version of the format).

use commute_model::Op;

use crate::naming::NameKind;

pub(super) const READ: u8 = 0;
pub(super) const WRITE: u8 = 1;
pub(super) const ACQUIRE: u8 = 2;
pub(super) const RELEASE: u8 = 3;
pub(super) const READ_ACQUIRE: u8 = 4;
pub(super) const READ_RELEASE: u8 = 5;
pub(super) const FORK: u8 = 6;
pub(super) const JOIN: u8 = 7;
pub(super) const NOTIFY: u8 = 8;
pub(super) const NOTIFY_ALL: u8 = 9;
pub(super) const ALLOC: u8 = 10;
pub(super) const FREE: u8 = 11;
/// Opcodes below this one have one operand and nothing else.
pub(super) const FIRST_OTHER: u8 = 12;
pub(super) const BEGIN: u8 = 12;
pub(super) const BEGIN_NAMED: u8 = 13;
pub(super) const END: u8 = 14;
pub(super) const END_NAMED: u8 = 15;
pub(super) const DUMMY: u8 = 16;
pub(super) const BRANCH: u8 = 17;
pub(super) const WAIT: u8 = 18;
pub(super) const WAKE: u8 = 19;
pub(super) const NEW: u8 = 20;
pub(super) const DROP: u8 = 21;
pub(super) const ACTION: u8 = 22;
/// How many there are.
pub(super) const COUNT: usize = 23;

/// The opcode of `op`.
#[inline]
pub(super) fn of(op: &Op) -> u8 {
    match op {
        Op::Read(_) => READ,
        Op::Write(_) => WRITE,
        Op::Acquire(_) => ACQUIRE,
        Op::Release(_) => RELEASE,
        Op::ReadAcquire(_) => READ_ACQUIRE,
        Op::ReadRelease(_) => READ_RELEASE,
        Op::Fork(_) => FORK,
        Op::Join(_) => JOIN,
        Op::Begin(None) => BEGIN,
        Op::Begin(Some(_)) => BEGIN_NAMED,
        Op::End(None) => END,
        Op::End(Some(_)) => END_NAMED,
        Op::Wait(..) => WAIT,
        Op::Wake(..) => WAKE,
        Op::Notify(_) => NOTIFY,
        Op::NotifyAll(_) => NOTIFY_ALL,
        Op::Alloc(_) => ALLOC,
        Op::Free(_) => FREE,
        Op::New(..) => NEW,
        Op::Drop(_) => DROP,
        Op::Action(_) => ACTION,
        Op::Dummy => DUMMY,
        Op::Branch => BRANCH,
    }
}

/// What the operand of an opcode is the name of; `None` if it has no operand.
pub(super) fn operand(opcode: u8) -> Option<NameKind> {
    Some(match opcode {
        READ | WRITE | ALLOC | FREE => NameKind::Variable,
        ACQUIRE | RELEASE | READ_ACQUIRE | READ_RELEASE => NameKind::Lock,
        FORK | JOIN => NameKind::Thread,
        BEGIN_NAMED | END_NAMED => NameKind::Block,
        WAIT | WAKE | NOTIFY | NOTIFY_ALL => NameKind::Condvar,
        NEW | DROP | ACTION => NameKind::Object,
        _ => return None,
    })
}
