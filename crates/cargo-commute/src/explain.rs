//! `commute explain`: the page of a code, or a stored finding with the page of its code.

use anyhow::{Result, bail};
use commute_model::Code;
use commute_report::{clip, human};

use crate::cli::{ExplainArgs, MessageFormat, Shared};
use crate::exit::Exit;
use crate::output::Output;
use crate::store::{found, read};

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

/// Prints the page, the finding, or the list of all codes.
pub(crate) fn run(args: &ExplainArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let Some(text) = &args.code else {
        for code in Code::ALL {
            output.line(&format!("{code}  {}", code.title()));
        }
        return Ok(Exit::Clean);
    };
    match text.parse::<Code>() {
        Ok(code) => output.raw(page(code)),
        Err(()) if found::is_id(text) => finding(text, shared, output)?,
        Err(()) => {
            let known: Vec<_> = Code::ALL.iter().map(Code::to_string).collect();
            bail!(
                "there is no code `{text}`; the codes are {}",
                known.join(", ")
            );
        }
    }
    Ok(Exit::Clean)
}

/// Prints the stored finding that is called like this, and what its code means.
fn finding(id: &str, shared: &Shared, output: &mut Output) -> Result<()> {
    let mut stored = found::one(id, shared, output)?;
    let trace = &stored.run.traces[stored.trace];
    let (origin, sources) = (trace.origin(), stored.run.sources(trace, shared));
    let is_human = output.format == MessageFormat::Human;
    // The page of the code follows; what is left to be seen are the events.
    if is_human && trace.trace.file.is_some() && stored.finding.replay.is_none() {
        let id = human::short_id(&stored.finding.fingerprint);
        let flags = read::flags(&[], shared).unwrap_or_default();
        stored.finding.replay = Some(format!("commute replay {id}{flags}"));
    }
    output.heading(&format!("in {}:", clip(&trace.trace.name, 400)));
    output.finding(Some(&origin.path), &stored.finding, &sources);
    if stored.is_gone {
        output.note("note: the last run of the same command line did not find it any more");
    }
    if is_human {
        output.raw(page(stored.finding.code));
    }
    Ok(())
}
