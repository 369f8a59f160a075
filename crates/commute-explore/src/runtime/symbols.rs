//! Functions of this program, from its symbol table. A program from which that was
//! stripped has none.

/// A function: its name as people write it, and its address in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) address: u64,
}

/// The functions whose paths, or those of their types, begin like one of these. In the
/// newer of the two manglings of Rust, those in whose names one of these is anywhere.
pub(super) fn functions(paths: &[&str]) -> Vec<Function> {
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
    .unwrap_or_default()
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

/// The name of a function in the older of the two manglings of Rust, without its hash.
fn demangled(name: &str) -> Option<String> {
    let mut rest = name.strip_prefix("_ZN")?;
    let mut parts = Vec::new();
    while !rest.starts_with('E') {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let (length, after) = rest.split_at(digits);
        let (part, after) = after.split_at_checked(length.parse().ok()?)?;
        let part = match part.strip_prefix('_') {
            Some(escaped) if escaped.starts_with('$') => escaped,
            _ => part,
        };
        parts.push(part);
        rest = after;
    }
    // A hash.
    parts.pop()?;
    let mut text = parts.join("::").replace("..", "::");
    for (from, to) in [
        ("$LT$", "<"),
        ("$GT$", ">"),
        ("$RF$", "&"),
        ("$BP$", "*"),
        ("$LP$", "("),
        ("$RP$", ")"),
        ("$C$", ","),
        ("$u20$", " "),
        ("$u27$", "'"),
        ("$u5b$", "["),
        ("$u5d$", "]"),
        ("$u7b$", "{"),
        ("$u7d$", "}"),
    ] {
        text = text.replace(from, to);
    }
    Some(text)
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
    #[cfg(target_os = "linux")]
    fn functions_of_this_program_are_there() {
        let path = "commute_explore::runtime::symbols::tests::";
        let functions = functions(&[path]);
        let is_there = |function: &Function| function.name.contains("functions_of_this_program");
        assert!(functions.iter().any(is_there), "{functions:?}");
    }
}
