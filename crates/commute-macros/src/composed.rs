//! `#[commute::composed]`
//!
//! The function becomes a test of its name, which checks it as a method of its first
//! parameter.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, FnArg, Ident, ItemFn, Pat, PatType, Token, Type};

/// What is called on the check, in the order in which it is.
struct Arguments {
    new: Option<Expr>,
    calls: Vec<(Ident, Expr)>,
}

const EXPECTED: &str =
    "expected `new = FUNCTION`, `collection = CLOSURE`, `environment = …` or `steps = N`";

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Arguments, Error> {
        let mut arguments = Arguments {
            new: None,
            calls: Vec::new(),
        };
        while !input.is_empty() {
            let key: Ident = { input.parse() }.map_err(|e| Error::new(e.span(), EXPECTED))?;
            input.parse::<Token![=]>()?;
            let value: Expr = input.parse()?;
            let twice = arguments.calls.iter().any(|(other, _)| *other == key);
            match key.to_string().as_str() {
                "new" if arguments.new.is_none() => arguments.new = Some(value),
                "collection" | "environment" | "steps" if !twice => {
                    arguments.calls.push((key, value));
                }
                "new" | "environment" | "steps" | "collection" => {
                    return Err(Error::new(key.span(), format!("`{key}` is there twice")));
                }
                _ => return Err(Error::new(key.span(), EXPECTED)),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(arguments)
    }
}

pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    let Arguments { new, calls } = syn::parse2(arguments)?;
    let mut function: ItemFn = syn::parse2(item)?;
    let signature = &function.sig;
    if let Some(first) = signature.generics.params.first() {
        let message = "a check has to know the type: make a function that is not generic";
        return Err(Error::new_spanned(first, message));
    }
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Typed(parameter) => parameters.push(parameter),
            FnArg::Receiver(receiver) => {
                let message = "expected a function beside the type, whose first parameter is a \
                               reference to it: `fn open(sessions: &Sessions, user: String)`";
                return Err(Error::new_spanned(receiver, message));
            }
        }
    }
    let Some((object, parameters)) = parameters.split_first() else {
        let message = "expected a reference to the object as the first parameter";
        return Err(Error::new_spanned(&signature.ident, message));
    };
    let object = object_type(object)?;
    let names: Vec<Ident> = (0..parameters.len())
        .map(|n| Ident::new(&format!("argument_{n}"), signature.ident.span()))
        .collect();
    let types: Vec<&Type> = parameters.iter().map(|parameter| &*parameter.ty).collect();
    let (pattern, tuple) = match (&names[..], &types[..]) {
        ([name], [one]) => (quote!(#name), quote!(#one)),
        _ => (quote!((#(#names),*)), quote!((#(#types),*))),
    };
    let name = signature.ident.clone();
    let at = name.span();
    let new = new.map_or_else(
        || quote_spanned!(at=> <#object as ::core::default::Default>::default),
        |new| quote!(#new),
    );
    let method = match signature.asyncness {
        Some(_) => quote_spanned!(at=> .method_async(
            async |object: &#object, #pattern: #tuple| #name(object, #(#names),*).await
        )),
        None => quote_spanned!(at=> .method(
            |object: &#object, #pattern: #tuple| #name(object, #(#names),*)
        )),
    };
    let calls = calls
        .iter()
        .map(|(call, value)| quote_spanned!(call.span()=> .#call(#value)));
    let attributes = std::mem::take(&mut function.attrs);
    Ok(quote! {
        #[::commute::test]
        #(#attributes)*
        fn #name() {
            #function
            ::commute::compose::check(#new) #method #(#calls)* .assert_atomic();
        }
    })
}

/// The type that the first parameter is a reference to.
fn object_type(parameter: &PatType) -> Result<Type, Error> {
    match &*parameter.ty {
        Type::Reference(reference) if reference.mutability.is_none() => {
            if let Pat::Ident(_) | Pat::Wild(_) = &*parameter.pat {
                return Ok((*reference.elem).clone());
            }
            let message = "expected a name";
            Err(Error::new_spanned(&parameter.pat, message))
        }
        other => {
            let message = "expected a shared reference: others use the object, too";
            Err(Error::new_spanned(other, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(arguments: TokenStream, item: TokenStream) -> String {
        let text = expand(arguments, item).map_err(|error| error.to_string());
        text.map_or_else(|error| error, |tokens| tokens.to_string())
    }

    #[test]
    fn a_function_becomes_a_test_that_checks_it() {
        let text = expanded(
            quote!(new = Sessions::new, steps = 3),
            quote!(
                fn open(sessions: &Sessions, user: String, again: bool) -> u32 {
                    7
                }
            ),
        );
        assert!(text.contains("commute :: test"), "{text}");
        assert!(text.contains("check (Sessions :: new)"), "{text}");
        assert!(
            text.contains("(argument_0 , argument_1) : (String , bool)"),
            "{text}"
        );
        assert!(text.contains(". steps (3) . assert_atomic ()"), "{text}");
    }

    #[test]
    fn what_cannot_be_checked_is_refused() {
        let says = |item: TokenStream| expanded(quote!(), item);
        let text = says(quote!(
            fn open(&self) {}
        ));
        assert!(text.contains("beside the type"), "{text}");
        let text = says(quote!(
            fn open() {}
        ));
        assert!(text.contains("as the first parameter"), "{text}");
        let text = says(quote!(
            fn open(sessions: &mut Sessions) {}
        ));
        assert!(text.contains("shared reference"), "{text}");
        let text = says(quote!(
            fn open<T>(sessions: &T) {}
        ));
        assert!(text.contains("not generic"), "{text}");
        let open = quote!(
            fn open(sessions: &Sessions) {}
        );
        let text = expanded(quote!(stops = 3), open.clone());
        assert!(text.contains("expected `new"), "{text}");
        let text = expanded(quote!(steps = 1, steps = 2), open);
        assert!(text.contains("twice"), "{text}");
    }
}
