//! `#[derive(Domain)]`

mod attributes;
mod bounds;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Expr, Fields, Index, Member, Type};

use attributes::{Of, Said};

pub(crate) fn expand(item: TokenStream) -> Result<TokenStream, Error> {
    let item: DeriveInput = syn::parse2(item)?;
    let said = Said::in_attributes(&item.attrs, Of::Type)?;
    let variants = match &item.data {
        Data::Struct(data) => vec![Variant::new(quote!(Self), &data.fields)?],
        Data::Enum(data) => variants(data)?,
        Data::Union(data) => {
            let message = "which field of a union is there cannot be known: implement \
                           `commute::Domain` for it by hand";
            return Err(Error::new_spanned(data.union_token, message));
        }
    };
    let mut parts = variants.iter().flat_map(|variant| &variant.parts);
    let (asked, (count, values)) = match &said.values {
        Some(given) => {
            if let Some(other) = parts.find_map(|part| part.given.as_ref()) {
                let message = "the values of the whole type are given, too: give one of them";
                return Err(Error::new_spanned(&other[0], message));
            }
            (Vec::new(), by_hand(&quote!(Self), given))
        }
        None => {
            let asked = parts.filter(|part| part.given.is_none());
            let asked: Vec<&Type> = asked.map(|part| part.kind).collect();
            (asked, of_variants(&variants))
        }
    };
    let bounds = bounds::of(&item.generics, &asked);
    let name = &item.ident;
    let (parameters, arguments, _) = item.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters ::commute::compose::Domain for #name #arguments #bounds {
            fn count() -> u128 {
                #count
            }

            fn values() -> ::commute::hidden::derived::Values<Self> {
                #values
            }
        }
    })
}

/// One of the ways to make a value.
struct Variant<'a> {
    /// `Self` or `Self::Name`
    path: TokenStream,
    parts: Vec<Part<'a>>,
}

/// A field.
struct Part<'a> {
    member: Member,
    kind: &'a Type,
    given: Option<Vec<Expr>>,
}

/// The number of values, and these, if they are made of fields.
fn of_variants(variants: &[Variant<'_>]) -> (TokenStream, TokenStream) {
    let counts = variants.iter().map(Variant::count);
    let values = variants.iter().map(Variant::values);
    (
        quote!(::commute::hidden::derived::count::<Self>(|| {
            0_u128 #(.saturating_add(#counts))*
        })),
        quote!(::commute::hidden::derived::values::<Self, _>([#(|| #values),*])),
    )
}

/// All variants that are not skipped.
fn variants(data: &DataEnum) -> Result<Vec<Variant<'_>>, Error> {
    let mut variants = Vec::new();
    for variant in &data.variants {
        let said = Said::in_attributes(&variant.attrs, Of::Variant)?;
        if !said.skip {
            let name = &variant.ident;
            variants.push(Variant::new(quote!(Self::#name), &variant.fields)?);
        }
    }
    // An enum without any has no values, and may well be meant so.
    match data.variants.first() {
        Some(first) if variants.is_empty() => {
            let message = "every variant is skipped, so there is no value to try";
            Err(Error::new_spanned(&first.ident, message))
        }
        _ => Ok(variants),
    }
}

impl<'a> Variant<'a> {
    fn new(path: TokenStream, fields: &'a Fields) -> Result<Variant<'a>, Error> {
        let parts = fields.iter().enumerate().map(|(index, field)| {
            let said = Said::in_attributes(&field.attrs, Of::Field)?;
            Ok(Part {
                member: match &field.ident {
                    Some(name) => Member::Named(name.clone()),
                    None => Member::Unnamed(Index::from(index)),
                },
                kind: &field.ty,
                given: said.values,
            })
        });
        let parts = parts.collect::<Result<_, Error>>()?;
        Ok(Variant { path, parts })
    }

    fn count(&self) -> TokenStream {
        let counts = self.parts.iter().map(|part| part.domain().0);
        quote!(1_u128 #(.saturating_mul(#counts))*)
    }

    /// `both(A, || both(B, || given([()])))`, and what makes the variant of
    /// `(a, (b, ()))`: pairs in pairs, so that there may be any number of fields.
    fn values(&self) -> TokenStream {
        let mut values = quote!(::commute::hidden::derived::given([()]));
        let mut pattern = quote!(());
        for (index, part) in self.parts.iter().enumerate().rev() {
            let first = part.domain().1;
            let name = format_ident!("part_{index}");
            values = quote!(::commute::hidden::derived::both(#first, || #values));
            pattern = quote!((#name, #pattern));
        }
        let path = &self.path;
        let members = self.parts.iter().map(|part| &part.member);
        let names = (0..self.parts.len()).map(|index| format_ident!("part_{index}"));
        quote!(::std::boxed::Box::new(::std::iter::Iterator::map(
            #values,
            |#pattern| #path { #(#members: #names),* },
        )))
    }
}

impl Part<'_> {
    /// How many values it has, and which.
    fn domain(&self) -> (TokenStream, TokenStream) {
        let kind = self.kind;
        match &self.given {
            Some(given) => by_hand(kind, given),
            // A type that is no domain is told where it is.
            None => (
                quote_spanned!(kind.span()=> <#kind as ::commute::compose::Domain>::count()),
                quote_spanned!(kind.span()=> <#kind as ::commute::compose::Domain>::values()),
            ),
        }
    }
}

/// The number of values that were given for a type, and these.
fn by_hand(kind: &impl ToTokens, given: &[Expr]) -> (TokenStream, TokenStream) {
    let count = given.len() as u128;
    let values = quote!(::commute::hidden::derived::given::<#kind, _>([#(#given),*]));
    (quote!(#count), values)
}
