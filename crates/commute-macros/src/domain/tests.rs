//! What the derive writes, and what it refuses.

use super::*;

fn text(item: TokenStream) -> String {
    expand(item).unwrap().to_string()
}

#[track_caller]
fn refused(item: TokenStream, message: &str) {
    let error = expand(item).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[test]
fn a_variant_is_made_of_its_fields() {
    let text = text(quote!(
        enum Job {
            Load { key: u64, again: bool },
            Stop,
        }
    ));
    let load = "Self :: Load { key : part_0 , again : part_1 }";
    assert!(text.contains(load), "{text}");
    assert!(text.contains("Self :: Stop { }"), "{text}");
    assert!(text.contains("| (part_0 , (part_1 , ()))"), "{text}");
    let domain = "impl :: commute :: compose :: Domain for Job";
    assert!(text.contains(domain), "{text}");
}

#[test]
fn only_parameters_that_are_used_need_a_domain() {
    let text = text(quote!(
        struct Entry<'a, K, V: Map, M, G, const N: usize> {
            name: &'a str,
            keys: [Option<K>; N],
            value: V::Value,
            other: <V as Map>::Other,
            mark: std::marker::PhantomData<fn(M) -> M>,
            #[domain(values(G::new()))]
            given: Vec<G>,
        }
    ));
    let (_, bounds) = text.split_once("where").unwrap();
    let (bounds, _) = bounds.split_once('{').unwrap();
    for bound in [
        "'a : 'static",
        "K : :: commute :: compose :: Domain",
        "V :: Value : :: commute :: compose :: Domain",
        "< V as Map > :: Other : :: commute :: compose :: Domain",
        "V : 'static",
        "M : 'static",
        "G : 'static",
        "Self : :: core :: clone :: Clone",
    ] {
        assert!(bounds.contains(bound), "{bound} in {bounds}");
    }
    for bound in ["V : ::", "M : ::", "G : ::"] {
        assert!(!bounds.contains(bound), "{bound} in {bounds}");
    }
}

#[test]
fn a_type_of_given_values_asks_nothing_of_its_parameters() {
    let text = text(quote!(
        #[domain(values(Own::new(1), Own::new(2)))]
        struct Own<T>(T);
    ));
    assert!(text.contains("T : 'static"), "{text}");
    assert!(text.contains("{ 2u128 }"), "{text}");
    assert!(!text.contains("derived :: count"), "{text}");
}

#[test]
fn what_has_no_values_is_refused() {
    let union = quote!(
        union U {
            a: u8,
        }
    );
    refused(union, "which field of a union");
    let skipped = quote!(
        enum E {
            #[domain(skip)]
            A,
        }
    );
    refused(skipped, "every variant is skipped");
    text(quote!(
        enum Never {}
    ));
}

#[test]
fn what_is_wrong_with_attributes_is_told() {
    for (attribute, message) in [
        (quote!(domain(range(1, 2))), "expected `values(…)`"),
        (quote!(domain(skip)), "`skip` is for variants"),
        (quote!(domain(values = 1)), "expected values in parentheses"),
        (quote!(domain(values())), "give at least one value"),
        (quote!(domain(values(1), values(2))), "there twice"),
        (quote!(domain(values(1) values(2))), "expected `,`"),
        (quote!(domain), "expected attribute arguments"),
    ] {
        refused(quote!(#[#attribute] struct S(u8);), message);
        refused(quote!(struct S(#[#attribute] u8);), message);
    }
    for (attribute, message) in [
        (quote!(domain(values(1))), "not for variants"),
        (quote!(domain(left_out)), "expected `skip`"),
    ] {
        refused(quote!(enum E { #[#attribute] A, B }), message);
    }
    let both = quote!(
        #[domain(values(S(1)))]
        struct S(#[domain(values(2))] u8);
    );
    refused(both, "give one of them");
}
