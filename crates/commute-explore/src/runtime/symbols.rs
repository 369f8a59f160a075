//! Functions of this program, from its symbol table. A program from which that was
//! stripped has none.
//!
//! Rust has two manglings, legacy and v0, and a program may contain names of both. The
//! demangled names differ in details, so they are brought into one form: that of legacy.

/// A function: its name as people write it, and its address in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) address: u64,
}

/// Returns the functions whose paths, or those of their types, begin like one of these. Of
/// names in the v0 mangling, returns those that contain one of these anywhere. None if the
/// program has no symbols that can be read.
pub(super) fn known_functions(paths: &[&str]) -> Option<Vec<Function>> {
    let prefixes: Vec<[String; 2]> = { paths.iter() }
        .map(|path| {
            let path = path.trim_end_matches("::");
            [mangled(path), path.replace("::", "..")]
        })
        .collect();
    read(&|name| {
        let Some(rest) = name.strip_prefix("_ZN") else {
            let is_new = name.starts_with("_R");
            return is_new && prefixes.iter().any(|[path, _]| name.contains(&**path));
        };
        let of_type = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let of_type = of_type.strip_prefix("_$LT$");
        prefixes.iter().any(|[path, name]| {
            rest.starts_with(&**path) || of_type.is_some_and(|of| of.starts_with(&**name))
        })
    })
}

/// `5tokio7runtime` of `tokio::runtime::`, which mangled names contain.
fn mangled(path: &str) -> String {
    let parts = path.split("::").filter(|part| !part.is_empty());
    parts.map(|part| format!("{}{part}", part.len())).collect()
}

#[cfg(not(target_os = "linux"))]
fn read(_: &dyn Fn(&str) -> bool) -> Option<Vec<Function>> {
    None
}

/// Reads an ELF file of 64 bits in the byte order of the machine.
#[cfg(target_os = "linux")]
fn read(is_wanted: &dyn Fn(&str) -> bool) -> Option<Vec<Function>> {
    use std::fs::File;
    use std::os::unix::fs::FileExt;

    const SYMBOLS: u64 = 2;
    const SYMBOL: usize = 24;
    const FUNCTION: u8 = 2;

    let file = File::open("/proc/self/exe").ok()?;
    let bytes = |offset: u64, size: u64| {
        let mut bytes = vec![0; usize::try_from(size).ok()?];
        file.read_exact_at(&mut bytes, offset).ok()?;
        Some(bytes)
    };
    let head = bytes(0, 64)?;
    if head[..5] != [0x7F, b'E', b'L', b'F', 2] {
        return None;
    }
    let (offset, size, count) = (
        number(&head[40..48]),
        number(&head[58..60]),
        number(&head[60..62]),
    );
    let sections = bytes(offset, size.checked_mul(count)?)?;
    let sections: Vec<&[u8]> = sections.chunks_exact((size as usize).max(64)).collect();
    let content = |section: &[u8]| bytes(number(&section[24..32]), number(&section[32..40]));
    let symbols = { sections.iter() }.find(|section| number(&section[4..8]) == SYMBOLS)?;
    let names = content(sections.get(number(&symbols[40..44]) as usize)?)?;
    let mut found = Vec::new();
    for symbol in content(symbols)?.chunks_exact(SYMBOL) {
        let (kind, address) = (symbol[4] & 0xF, number(&symbol[8..16]));
        let Some(name) = names.get(number(&symbol[..4]) as usize..) else {
            continue;
        };
        let end = name.iter().position(|byte| *byte == 0);
        let name = str::from_utf8(&name[..end.unwrap_or(0)]).unwrap_or_default();
        if kind == FUNCTION && address != 0 && is_wanted(name) {
            let name = demangled(name).unwrap_or_else(|| name.to_owned());
            found.push(Function { name, address });
        }
    }
    Some(found)
}

#[cfg(target_os = "linux")]
fn number(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    match cfg!(target_endian = "little") {
        true => all[..bytes.len()].copy_from_slice(bytes),
        false => all[8 - bytes.len()..].copy_from_slice(bytes),
    }
    u64::from_ne_bytes(all)
}

/// Returns the name of a function as people write it, without hashes; none if the name is
/// not mangled.
#[cfg_attr(not(target_os = "linux"), expect(dead_code))]
fn demangled(name: &str) -> Option<String> {
    let name = rustc_demangle::try_demangle(name).ok()?;
    Some(normalised(&format!("{name:#}")))
}

/// Returns a demangled name in the form that legacy mangling gives it: `T::m` for
/// `<T>::m`, `{{closure}}` for `{closure#0}`, and no arguments of generic functions.
pub(super) fn normalised(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut rest = name;
    if let Some(inner) = inherent(name) {
        text.push_str(inner);
        rest = &name[inner.len() + 2..];
    }
    while let Some(letter) = rest.chars().next() {
        if ["{closure#", "{closure:"]
            .iter()
            .any(|begin| rest.starts_with(begin))
            && let Some(end) = rest.find('}')
        {
            text.push_str("{{closure}}");
            rest = &rest[end + 1..];
        } else if rest.starts_with("::<")
            && !rest.starts_with("::<impl ")
            && let Some(end) = closing(&rest[2..])
        {
            rest = &rest[2 + end + 1..];
        } else {
            text.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    text
}

/// Returns `T` of `<T>::m`; none of `<T as Trait>::m`, and of types without a path.
fn inherent(name: &str) -> Option<&str> {
    let inner = name.get(1..closing(name)?)?;
    let is_path = inner.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    let mut depth = 0_usize;
    let is_of_trait = inner.char_indices().any(|(at, letter)| {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && inner[at..].starts_with(" as ")
    });
    (is_path && !is_of_trait && !inner.starts_with("impl ")).then_some(inner)
}

/// Returns the position of the `>` that belongs to the `<` at the beginning.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut before) = (0_usize, ' ');
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            // The arrow of a function type closes nothing.
            '>' if before != '-' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (letter == '>').then_some(at);
        }
        before = letter;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_people_write_them() {
        for (mangled, name) in [
            (
                "_ZN5tokio4sync4mpsc7bounded17Receiver$LT$T$GT$4recv28_$u7b$$u7b$closure$u7d$$u7d$17h7845a2ee9bb6b6c2E",
                "tokio::sync::mpsc::bounded::Receiver<T>::recv::{{closure}}",
            ),
            (
                "_ZN88_$LT$tokio..sync..oneshot..Receiver$LT$T$GT$$u20$as$u20$core..future..future..Future$GT$4poll17h0f0f0f0f0f0f0f0fE",
                "<tokio::sync::oneshot::Receiver<T> as core::future::future::Future>::poll",
            ),
        ] {
            assert_eq!(demangled(mangled).as_deref(), Some(name));
        }
        assert_eq!(demangled("main"), None);
        assert_eq!(demangled("_ZN9999999999"), None);
        assert_eq!(super::mangled("tokio::runtime::"), "5tokio7runtime");
    }

    #[test]
    fn both_manglings_give_equal_names() {
        for [legacy, v0] in [
            [
                "_ZN3std4hash6random11RandomState3new28_$u7b$$u7b$closure$u7d$$u7d$17h0f0f0f0f0f0f0f0fE",
                "_RNCNvMNtNtCs1234_3std4hash6randomNtB4_11RandomState3new0B8_",
            ],
            [
                "_ZN78_$LT$tokio..sync..notify..Notified$u20$as$u20$core..future..future..Future$GT$4poll17h0f0f0f0f0f0f0f0fE",
                "_RNvXs_NtNtCs1_5tokio4sync6notifyNtB4_8NotifiedNtNtNtCs2_4core6future6future6Future4poll",
            ],
        ] {
            let (legacy, v0) = (demangled(legacy), demangled(v0));
            assert!(legacy.is_some());
            assert_eq!(legacy, v0);
        }
    }

    #[test]
    fn names_of_v0_are_brought_into_the_form_of_legacy() {
        for (name, normal) in [
            (
                "<tokio::sync::mutex::Mutex<u8>>::lock::{closure#0}",
                "tokio::sync::mutex::Mutex<u8>::lock::{{closure}}",
            ),
            (
                "futures_util::async_await::random::shuffle::<fn(u8) -> u8>",
                "futures_util::async_await::random::shuffle",
            ),
            (
                "core::slice::<impl [T]>::len",
                "core::slice::<impl [T]>::len",
            ),
            ("<[u8]>::len", "<[u8]>::len"),
            ("<a::B<u8> as c::D>::e", "<a::B<u8> as c::D>::e"),
            ("<a::B<<c::D as e::F>::G>>::h", "a::B<<c::D as e::F>::G>::h"),
            ("main", "main"),
            ("<a", "<a"),
        ] {
            assert_eq!(normalised(name), normal);
            assert_eq!(normalised(normal), normal);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn functions_of_this_program_are_there() {
        let path = "commute_explore::runtime::symbols::tests::";
        let functions = known_functions(&[path]).expect("a test has symbols");
        let is_there = |function: &Function| function.name.contains("functions_of_this_program");
        assert!(functions.iter().any(is_there), "{functions:?}");
    }
}
