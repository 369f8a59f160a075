//! The table `lint` of `commute.toml`: what the project allows.
//!
//! ```toml
//! [lint]
//! allow = ["high_level_data_race"]
//!
//! [[lint.suppress]]
//! code = "CM202"
//! variable = "Cache.*"
//! ```

use anyhow::{Result, anyhow};
use commute_model::{Code, parse_location};

use super::names;
use super::outcome::Found;
use crate::config::{File, Section, Text};
use crate::glob::Glob;

/// What is odd about what this file allows.
///
/// # Errors
/// If it makes no sense.
pub(crate) fn warnings(file: &File) -> Result<Vec<String>> {
    Ok(Settings::read(file)?.warnings)
}

/// What the project allows.
#[derive(Default)]
pub(super) struct Settings {
    allow: Vec<Allowed>,
    suppress: Vec<Suppressed>,
    /// What is odd about the file.
    warnings: Vec<String>,
}

struct Allowed {
    code: Code,
    text: Text,
    used: bool,
}

struct Suppressed {
    place: String,
    code: Option<Code>,
    variable: Option<Glob>,
    function: Option<Glob>,
    file: Option<Glob>,
    used: bool,
}

impl Settings {
    /// Those of this file.
    ///
    /// # Errors
    /// If it makes no sense.
    pub(super) fn read(file: &File) -> Result<Settings> {
        Settings::parse(&file.name(), &file.text)
    }

    fn parse(file: &str, text: &str) -> Result<Settings> {
        let mut settings = Settings::default();
        let all = Section::parse(file, text)?;
        let Some(lint) = all.section("lint")? else {
            return Ok(settings);
        };
        for text in lint.strings("allow")? {
            settings.allow.push(Allowed {
                code: code(&text)?,
                text,
                used: false,
            });
        }
        // `suppress = "FILE"` is an option, and no business of ours.
        let is_option = lint.string("suppress").is_ok_and(|file| file.is_some());
        let suppress = match is_option {
            true => Vec::new(),
            false => lint.sections("suppress")?,
        };
        for section in suppress {
            let keys = ["code", "variable", "function", "file"];
            settings.warnings.extend(section.unknown(&keys));
            let glob = |key: &str| -> Result<Option<Glob>> {
                section.string(key)?.as_ref().map(glob).transpose()
            };
            let suppressed = Suppressed {
                code: section.string("code")?.as_ref().map(code).transpose()?,
                variable: glob("variable")?,
                function: glob("function")?,
                file: glob("file")?,
                place: section.place(),
                used: false,
            };
            if suppressed.is_empty() {
                settings.warnings.push(format!(
                    "{}: nothing is suppressed: `code`, `variable`, `function` or `file` says what",
                    section.place()
                ));
            } else {
                settings.suppress.push(suppressed);
            }
        }
        Ok(settings)
    }

    /// Whether it is allowed. Everything that allows it counts as used.
    pub(super) fn allow(&mut self, found: &Found) -> bool {
        let mut is_allowed = false;
        for allowed in &mut self.allow {
            if allowed.code == found.finding.code {
                allowed.used = true;
                is_allowed = true;
            }
        }
        for suppressed in &mut self.suppress {
            if suppressed.fits(found) {
                suppressed.used = true;
                is_allowed = true;
            }
        }
        is_allowed
    }

    /// What allows nothing that there is.
    pub(super) fn unused(&self) -> impl Iterator<Item = String> {
        let allow = self.allow.iter().filter(|allowed| !allowed.used);
        let suppress = self.suppress.iter().filter(|one| !one.used);
        let allow = allow.map(|Allowed { text, .. }| {
            let Text { place, text } = text;
            format!("{place}: unused `allow` of `{text}`")
        });
        allow.chain(suppress.map(|one| format!("{}: unused `suppress`", one.place)))
    }
}

impl Suppressed {
    fn is_empty(&self) -> bool {
        let globs = [&self.variable, &self.function, &self.file];
        self.code.is_none() && globs.iter().all(|glob| glob.is_none())
    }

    /// Whether everything that it names fits: the variable, and a function and a file on
    /// the way of the value.
    fn fits(&self, found: &Found) -> bool {
        let finding = &found.finding;
        let variable = finding.object.as_deref().unwrap_or_default();
        let way = || found.way();
        let is_function = |glob: &Glob| way().any(|event| glob.is_match(&event.thread));
        let is_file = |glob: &Glob| {
            let mut places = way().filter_map(|event| parse_location(&event.location));
            places.any(|(file, _, _)| glob.is_match(file))
        };
        self.code.is_none_or(|code| code == finding.code)
            && { self.variable.as_ref() }.is_none_or(|glob| glob.is_match(variable))
            && self.function.as_ref().is_none_or(is_function)
            && self.file.as_ref().is_none_or(is_file)
    }
}

fn code(text: &Text) -> Result<Code> {
    let Text { text, place } = text;
    names::code(text).ok_or_else(|| anyhow!("{place}: {}", names::unknown(text)))
}

fn glob(text: &Text) -> Result<Glob> {
    let Text { text, place } = text;
    Glob::new(text).map_err(|error| anyhow!("{place}: {error}"))
}

#[cfg(test)]
mod tests {
    use commute_lint::Confidence;

    use super::super::finding::{self, tests::stale};
    use super::*;

    /// Whether this allows the stale value, and what is said of it.
    fn check(text: &str) -> (bool, Vec<String>) {
        let mut settings = Settings::parse("c.toml", text).expect(text);
        let (program, violation) = stale(Confidence::High);
        let found = finding::all(&program, &[violation]).remove(0);
        let allowed = settings.allow(&found);
        let said = settings.warnings.iter().cloned();
        (allowed, said.chain(settings.unused()).collect())
    }

    #[test]
    fn what_is_named_is_allowed() {
        for text in [
            "[lint]\nallow = [\"stale_value\"]",
            "[[lint.suppress]]\ncode = \"CM202\"",
            "[[lint.suppress]]\nvariable = \"Account.*\"\nfunction = \"withdraw\"",
            "[[lint.suppress]]\nfile = \"src/**\"",
        ] {
            assert_eq!(check(text), (true, Vec::new()), "{text}");
        }
    }

    #[test]
    fn what_is_not_named_is_not_allowed() {
        let unused = |text: &str| {
            let (allowed, said) = check(text);
            assert!(!allowed, "{text}");
            said.join("; ")
        };
        let one = "c.toml:1:1: unused `suppress`";
        assert_eq!(unused("[[lint.suppress]]\ncode = \"CM201\""), one);
        // The other is not on the way of the value.
        assert_eq!(unused("[[lint.suppress]]\nfunction = \"deposit\""), one);
        let two = "[[lint.suppress]]\nfile = \"src/*\"\nvariable = \"x\"";
        assert_eq!(unused(two), one);
        assert_eq!(
            unused("[lint]\nallow = [\"high_level_data_race\"]"),
            "c.toml:2:10: unused `allow` of `high_level_data_race`"
        );
        assert_eq!(
            unused("[[lint.suppress]]\nfnction = \"deposit\""),
            "c.toml:2:1: unknown key `fnction`; did you mean `function`?; c.toml:1:1: nothing is suppressed: `code`, `variable`, `function` or `file` says what"
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let error = |text: &str| Settings::parse("c.toml", text).err().unwrap().to_string();
        assert_eq!(
            error("[lint]\nallow = [\"stale\"]"),
            "c.toml:2:10: unknown name `stale`; did you mean `stale_value`?"
        );
        assert!(error("[[lint.suppress]]\nfile = \"[\"").starts_with("c.toml:2:8: "));
    }
}
