//! `#[commute::test]`
//!
//! The function stays, and beside it comes a module of its name with the test: that is
//! how the command tells our tests from others, in the list that a test binary prints.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Error, ItemFn};

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
    let call = match signature.asyncness {
        Some(_) => quote!(|| ::commute::hidden::block_on(super::#name())),
        None => quote!(super::#name),
    };
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
        assert!(module.contains("super :: both_finish"), "{text}");
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
