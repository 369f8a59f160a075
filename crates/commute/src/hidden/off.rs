//! Nothing, at no cost.

use crate::identity::Identity;
use crate::model::Model;
use crate::values::Value;

/// The name of an atomic block.
#[derive(Debug)]
pub struct Block;

impl Block {
    /// The block of this name.
    pub const fn new(_name: &'static str) -> Block {
        Block
    }
}

/// An atomic block that is being executed.
#[derive(Debug)]
pub struct Region;

impl Region {
    /// Enters a block.
    #[inline(always)]
    pub fn enter(_block: &'static Block) -> Region {
        Region
    }
}

/// What an object is.
#[derive(Debug)]
pub struct Kind;

impl Kind {
    /// An object with a specification.
    pub const fn object(_word: &'static str, _specification: &'static str) -> Kind {
        Kind
    }
}

/// The model that the user gave a type, if any.
#[derive(Clone, Copy, Debug)]
pub struct Modelled;

impl Modelled {
    /// None.
    pub const NOT: Modelled = Modelled;

    /// This one.
    pub const fn by<M: Model>() -> Modelled {
        Modelled
    }

    /// The same; the method returns nothing.
    #[must_use]
    pub const fn silent(self) -> Modelled {
        self
    }
}

/// The name of a method.
#[derive(Debug)]
pub struct Method;

impl Method {
    /// The method of this name.
    pub const fn new(_name: &'static str) -> Method {
        Method
    }
}

/// A call that is being executed.
#[derive(Debug)]
pub struct Call;

impl Call {
    /// Begins a call of an object that is known by its address.
    #[inline(always)]
    pub fn begin<T: ?Sized, const N: usize>(
        _object: &T,
        _kind: &'static Kind,
        _model: Modelled,
        _method: &'static Method,
        _arguments: impl FnOnce() -> [Value; N],
    ) -> Call {
        Call
    }

    /// Begins a call of an object that has an identity.
    #[inline(always)]
    pub fn begin_of<const N: usize>(
        _identity: &Identity,
        _kind: &'static Kind,
        _model: Modelled,
        _method: &'static Method,
        _arguments: impl FnOnce() -> [Value; N],
    ) -> Call {
        Call
    }

    /// Ends the call.
    #[inline(always)]
    pub fn end(self, _result: impl FnOnce() -> Value) {}
}
