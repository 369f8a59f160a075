//! An interner that gives one string two symbols.
//@ finding: Interner::intern
use std::collections::HashMap;
use std::sync::RwLock;
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Symbol(u32);
#[derive(Default)]
struct Inner {
    map: HashMap<Box<str>, Symbol>,
    strings: Vec<Box<str>>,
}
#[derive(Default)]
pub struct Interner {
    inner: RwLock<Inner>,
}
impl Interner {
    #[cfg(not(fixed))]
    pub fn intern(&self, text: &str) -> Symbol {
        {
            let inner = self.inner.read().unwrap();
            if let Some(symbol) = inner.map.get(text) {
                return *symbol;
            }
        }
        let mut inner = self.inner.write().unwrap();
        let symbol = Symbol(inner.strings.len() as u32);
        inner.strings.push(text.into());
        inner.map.insert(text.into(), symbol);
        symbol
    }
    #[cfg(fixed)]
    pub fn intern(&self, text: &str) -> Symbol {
        {
            let inner = self.inner.read().unwrap();
            if let Some(symbol) = inner.map.get(text) {
                return *symbol;
            }
        }
        let mut inner = self.inner.write().unwrap();
        if let Some(symbol) = inner.map.get(text) {
            return *symbol;
        }
        let symbol = Symbol(inner.strings.len() as u32);
        inner.strings.push(text.into());
        inner.map.insert(text.into(), symbol);
        symbol
    }
    pub fn resolve(&self, symbol: Symbol) -> String {
        self.inner.read().unwrap().strings[symbol.0 as usize].to_string()
    }
}
