//! Code that is not compiled: attributes `cfg(…)` that are false.

use std::collections::BTreeSet;

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, MetaList, Token};

/// What is known of the configuration of a crate.
#[derive(Clone, Default, Debug)]
pub(super) struct Cfg {
    /// Its features.
    pub features: BTreeSet<String>,
    /// Whether it is compiled as a test.
    pub test: bool,
}

impl Cfg {
    /// Whether something with these attributes is certainly not compiled.
    pub(super) fn leaves_out(&self, attributes: &[Attribute]) -> bool {
        attributes.iter().any(|attribute| {
            attribute.path().is_ident("cfg")
                && attribute
                    .parse_args::<Meta>()
                    .is_ok_and(|meta| self.holds(&meta) == Some(false))
        })
    }

    /// Whether a condition holds, if that is known.
    fn holds(&self, meta: &Meta) -> Option<bool> {
        match meta {
            Meta::Path(path) if path.is_ident("test") => Some(self.test),
            // That is how the program is built.
            Meta::Path(path) if path.is_ident("commute") => Some(true),
            Meta::Path(path) if path.is_ident("unix") => Some(true),
            Meta::Path(path) if path.is_ident("windows") => Some(false),
            Meta::Path(path) if path.is_ident("miri") || path.is_ident("loom") => Some(false),
            Meta::NameValue(pair) if pair.path.is_ident("feature") => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(name) => Some(self.features.contains(&name.value())),
                    _ => None,
                },
                _ => None,
            },
            Meta::List(list) => self.combined(list),
            _ => None,
        }
    }

    fn combined(&self, list: &MetaList) -> Option<bool> {
        let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        let parts: Vec<Option<bool>> = parts.ok()?.iter().map(|part| self.holds(part)).collect();
        let has = |value| parts.contains(&Some(value));
        let is_known = !parts.contains(&None);
        if list.path.is_ident("not") {
            parts.first().copied().flatten().map(|value| !value)
        } else if list.path.is_ident("all") {
            if has(false) {
                Some(false)
            } else {
                is_known.then_some(true)
            }
        } else if list.path.is_ident("any") {
            if has(true) {
                Some(true)
            } else {
                is_known.then_some(false)
            }
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_or_not_or_nothing_is_known() {
        let cfg = Cfg {
            features: ["fast".to_owned()].into(),
            test: false,
        };
        let leaves_out = |text: &str| {
            let item: syn::ItemFn = syn::parse_str(&format!("#[cfg({text})] fn f() {{}}")).unwrap();
            cfg.leaves_out(&item.attrs)
        };
        for text in [
            "test",
            "not(commute)",
            "not(unix)",
            "feature = \"slow\"",
            "all(debug_assertions, test)",
            "any(test, windows)",
            "not(any(commute, debug_assertions))",
        ] {
            assert!(leaves_out(text), "{text}");
        }
        for text in [
            "not(test)",
            "commute",
            "feature = \"fast\"",
            "debug_assertions",
            "any(test, debug_assertions)",
            "all(unix, feature = \"fast\")",
        ] {
            assert!(!leaves_out(text), "{text}");
        }
    }
}
