//! What a built page refers to. mdBook writes attributes in double quotes, and escapes
//! quotes in text, so that an attribute can be recognised by its name and the quote.

use std::collections::BTreeSet;

/// What is looked at of a page.
pub(crate) struct Page {
    /// Where its links lead.
    pub(crate) links: BTreeSet<String>,
    /// What a browser fetches to show it.
    pub(crate) loads: BTreeSet<String>,
    /// The names that links can end in.
    pub(crate) names: BTreeSet<String>,
}

impl Page {
    pub(crate) fn of(text: &str) -> Page {
        let (mut links, mut loads) = (BTreeSet::new(), BTreeSet::new());
        for tag in text.split('<').skip(1) {
            let tag = tag.split('>').next().unwrap_or(tag);
            let linked = attribute(tag, "href");
            match tag.starts_with("a ") {
                true => links.extend(linked),
                false => loads.extend(linked),
            }
            loads.extend(attribute(tag, "src"));
        }
        // What is loaded must be there, too.
        let local = loads.iter().filter(|load| !load.starts_with("data:"));
        links.extend(local.cloned());
        let names = text.split(" id=\"").skip(1);
        let names = names.filter_map(|rest| rest.split('"').next());
        Page {
            links,
            loads,
            names: names.map(str::to_owned).collect(),
        }
    }
}

/// The value of an attribute of a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let value = rest.split('"').next()?;
    Some(value.replace("&amp;", "&"))
}

/// Whether it is somewhere else.
pub(crate) fn is_remote(link: &str) -> bool {
    let is_data = link.starts_with("data:");
    link.contains("://") && !is_data || link.starts_with("//") || link.starts_with("mailto:")
}

#[test]
fn pages_are_understood() {
    let page = Page::of(
        "<a class=\"x\" href=\"b.html#c\">1</a><h1 id=\"d\">&lt;a href=&quot;no&quot;</h1>\
         <link rel=\"stylesheet\" href=\"https://cdn/x.css\"><script src=\"y.js\"></script>",
    );
    assert_eq!(page.names.iter().collect::<Vec<_>>(), ["d"]);
    assert!(page.links.contains("b.html#c") && page.links.contains("y.js"));
    assert!(!page.links.iter().any(|link| link == "no"));
    assert!(page.loads.iter().any(|load| is_remote(load)));
}
