//! `commute explain`: the page of a code.

use anyhow::{Result, bail};
use commute_model::Code;

use crate::cli::ExplainArgs;
use crate::exit::Exit;
use crate::output::Output;

/// The page of a code, the same text as `docs/codes/`.
pub(crate) fn page(code: Code) -> &'static str {
    macro_rules! page {
        ($name:literal) => {
            include_str!(concat!("../../../docs/codes/", $name, ".md"))
        };
    }
    match code {
        Code::CM101 => page!("CM101"),
        Code::CM102 => page!("CM102"),
        Code::CM103 => page!("CM103"),
        Code::CM111 => page!("CM111"),
        Code::CM121 => page!("CM121"),
        Code::CM122 => page!("CM122"),
        Code::CM201 => page!("CM201"),
        Code::CM202 => page!("CM202"),
        Code::CM301 => page!("CM301"),
        Code::CM302 => page!("CM302"),
        Code::CM303 => page!("CM303"),
        Code::CM401 => page!("CM401"),
        Code::CM402 => page!("CM402"),
        Code::CM901 => page!("CM901"),
        Code::CM902 => page!("CM902"),
        Code::CM903 => page!("CM903"),
        Code::CM904 => page!("CM904"),
        Code::CM905 => page!("CM905"),
        Code::CM906 => page!("CM906"),
        Code::CM907 => page!("CM907"),
        Code::CM908 => page!("CM908"),
        Code::CM909 => page!("CM909"),
    }
}

/// Prints the page, or the list of all codes.
pub(crate) fn run(args: &ExplainArgs, output: &mut Output) -> Result<Exit> {
    let Some(text) = &args.code else {
        for code in Code::ALL {
            output.line(&format!("{code}  {}", code.title()));
        }
        return Ok(Exit::Clean);
    };
    let Ok(code) = text.parse::<Code>() else {
        let known: Vec<_> = Code::ALL.iter().map(Code::to_string).collect();
        bail!(
            "there is no code `{text}`; the codes are {}",
            known.join(", ")
        );
    };
    output.text(page(code));
    Ok(Exit::Clean)
}
