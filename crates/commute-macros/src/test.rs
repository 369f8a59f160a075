//! `#[commute::test]`
//!
//! The function stays, and beside it comes a module of its name with the test: that is
//! how the command tells our tests from others, in the list that a test binary prints.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Attribute, Error, Expr, ExprLit, ItemFn, Lit, Meta};

pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    let only = match arguments.to_string().as_str() {
        "" => quote!(test),
        "explored_only" => quote!(explored_only),
        _ => {
            let message = "expected `explored_only`, or nothing";
            return Err(Error::new_spanned(arguments, message));
        }
    };
    let mut function: ItemFn = syn::parse2(item)?;
    let signature = &function.sig;
    if let Some(first) = signature.inputs.first() {
        return Err(Error::new_spanned(first, "a test has no parameters"));
    }
    if let Some(first) = signature.generics.params.first() {
        return Err(Error::new_spanned(first, "a test is not generic"));
    }
    if let Some(word) = &signature.constness {
        return Err(Error::new_spanned(word, "a test is no `const` function"));
    }
    let attributes = std::mem::take(&mut function.attrs);
    if let Some(other) = attributes.iter().find(|a| a.path().is_ident("test")) {
        let message = "`#[commute::test]` makes it a test already";
        return Err(Error::new_spanned(other, message));
    }
    let (of_test, of_function): (Vec<_>, Vec<_>) = attributes.into_iter().partition(is_of_the_test);
    let conditions = of_function.iter().filter(|a| a.path().is_ident("cfg"));
    let name = &signature.ident;
    // A failure that has no place of its own has that of the function.
    let at = name.span();
    let call = match signature.asyncness {
        Some(_) => quote_spanned!(at=> ::commute::hidden::block_on(super::#name())),
        None => quote_spanned!(at=> super::#name()),
    };
    let call = quote_spanned!(at=> || ::commute::hidden::Ended::check(#call));
    let panics = of_test.iter().find(|a| a.path().is_ident("should_panic"));
    let call = match panics {
        Some(attribute) => {
            let text = expected(attribute)?;
            quote_spanned!(at=> || ::commute::hidden::must_panic(#call, #text))
        }
        None => call,
    };
    // What does not run cannot panic.
    let runs = arguments.is_empty();
    let of_test = of_test
        .iter()
        .filter(|a| runs || !a.path().is_ident("should_panic"));
    Ok(quote! {
        #[cfg(test)]
        #(#of_function)*
        #function

        #[cfg(test)]
        #(#conditions)*
        #[doc(hidden)]
        mod #name {
            #[::core::prelude::v1::test]
            #(#of_test)*
            fn commute() {
                ::commute::hidden::#only(::core::module_path!(), #call)
            }
        }
    })
}

/// Whether the harness looks at it.
fn is_of_the_test(attribute: &Attribute) -> bool {
    let path = attribute.path();
    path.is_ident("ignore") || path.is_ident("should_panic")
}

/// What the panic has to say: `should_panic`, `should_panic = "text"` or
/// `should_panic(expected = "text")`.
fn expected(attribute: &Attribute) -> Result<String, Error> {
    let text = |value: &Expr| match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Ok(text.value()),
        other => Err(Error::new_spanned(other, "expected a text")),
    };
    match &attribute.meta {
        Meta::Path(_) => Ok(String::new()),
        Meta::NameValue(pair) => text(&pair.value),
        Meta::List(list) => {
            let pair: syn::MetaNameValue = list.parse_args()?;
            match pair.path.is_ident("expected") {
                true => text(&pair.value),
                false => Err(Error::new_spanned(pair.path, "expected `expected`")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_stays_and_a_test_calls_it() {
        let text = expand(
            quote!(),
            quote!(
                #[should_panic]
                #[cfg(unix)]
                fn both_finish() {}
            ),
        )
        .unwrap()
        .to_string();
        let (function, module) = text.split_once("mod both_finish").unwrap();
        assert!(function.contains("fn both_finish ()"), "{text}");
        assert!(!function.contains("should_panic"), "{text}");
        assert!(function.matches("cfg (unix)").count() == 2, "{text}");
        assert!(module.contains("should_panic"), "{text}");
        assert!(module.contains("super :: both_finish ()"), "{text}");
    }

    #[test]
    fn what_the_panic_has_to_say_is_passed_on() {
        for (attribute, says) in [
            (quote!(#[should_panic]), ""),
            (quote!(#[should_panic = "full"]), "full"),
            (quote!(#[should_panic(expected = "full")]), "full"),
        ] {
            let item = quote!(#attribute fn f() {});
            let text = expand(quote!(), item.clone()).unwrap().to_string();
            assert!(text.contains(&format!(", \"{says}\")")), "{text}");
            let text = expand(quote!(explored_only), item).unwrap().to_string();
            assert!(!text.contains("should_panic"), "{text}");
        }
        assert!(
            expand(
                quote!(),
                quote!(
                    #[should_panic(x = "y")]
                    fn f() {}
                )
            )
            .is_err()
        );
    }

    #[test]
    fn what_cannot_be_a_test_is_refused() {
        for item in [
            quote!(
                fn f(x: u8) {}
            ),
            quote!(
                fn f<T>() {}
            ),
            quote!(
                const fn f() {}
            ),
            quote!(
                #[test]
                fn f() {}
            ),
            quote!(
                struct S;
            ),
        ] {
            assert!(expand(quote!(), item.clone()).is_err(), "{item}");
        }
        assert!(
            expand(
                quote!(seed = 1),
                quote!(
                    fn f() {}
                )
            )
            .is_err()
        );
    }
}
