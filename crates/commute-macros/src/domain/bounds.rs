//! What a derived implementation asks of the parameters of its type.
//!
//! It asks for `T: Domain`, not for `Option<T>: Domain` of a field: for types that
//! contain themselves, the compiler would look for the latter endlessly.

use syn::visit::{self, Visit};
use syn::{GenericParam, Generics, Ident, Type, TypePath, WhereClause, parse_quote};

/// The `where` clause, if these types of fields are asked for their values.
pub(super) fn of(generics: &Generics, fields: &[&Type]) -> WhereClause {
    let mut bounds = generics.where_clause.clone().unwrap_or(WhereClause {
        where_token: Default::default(),
        predicates: Default::default(),
    });
    for parameter in &generics.params {
        match parameter {
            // All values are `'static`.
            GenericParam::Lifetime(parameter) => {
                let name = &parameter.lifetime;
                bounds.predicates.push(parse_quote!(#name: 'static));
            }
            GenericParam::Type(parameter) => {
                let name = &parameter.ident;
                let mut uses = Uses {
                    parameter: name,
                    itself: false,
                    associated: Vec::new(),
                };
                fields.iter().for_each(|field| uses.visit_type(field));
                for kind in uses.associated {
                    let bound = parse_quote!(#kind: ::commute::compose::Domain);
                    bounds.predicates.push(bound);
                }
                if uses.itself {
                    let bound = parse_quote!(#name: ::commute::compose::Domain);
                    bounds.predicates.push(bound);
                } else {
                    // Nothing says that it can be cloned, and the type may not need it.
                    bounds.predicates.push(parse_quote!(#name: 'static));
                    bounds
                        .predicates
                        .push(parse_quote!(Self: ::core::clone::Clone));
                }
            }
            GenericParam::Const(_) => {}
        }
    }
    bounds
}

/// How fields use a type parameter.
struct Uses<'a> {
    parameter: &'a Ident,
    /// As `T`, or in `Vec<T>`.
    itself: bool,
    /// As `T::Key` or `<T as Map>::Key`.
    associated: Vec<TypePath>,
}

impl Visit<'_> for Uses<'_> {
    fn visit_type_path(&mut self, kind: &TypePath) {
        let names = &kind.path.segments;
        let of_parameter = match &kind.qself {
            Some(of) => matches!(&*of.ty, Type::Path(of) if of.path.is_ident(self.parameter)),
            None => names.len() > 1 && names[0].ident == *self.parameter,
        };
        if of_parameter {
            self.associated.push(kind.clone());
        } else if kind.path.is_ident(self.parameter) {
            self.itself = true;
        } else if names.last().is_some_and(|name| name.ident == "PhantomData") {
            // It has a value whatever `T` is.
        } else {
            visit::visit_type_path(self, kind);
        }
    }
}
