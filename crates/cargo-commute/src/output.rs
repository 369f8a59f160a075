//! Where text goes: standard output for results, standard error for the rest.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
#[cfg(windows)]
use std::os::windows::io::AsHandle as AsFd;
use std::path::Path;

use anyhow::{Context, Result};
use commute_model::{Diagnostic, Finding};
use commute_report::diagnostic::{self, Source};
use commute_report::runner::{Apart, tame};
use commute_report::{Sources, Style, Summary, Verdict, github, human, json, short};

use crate::cli::{MessageFormat, Shared, When};
use crate::refusal::Refusal;
use crate::sources::in_repository;
use crate::store::whole_file::WholeFile;

/// Prints in the chosen format. A reader that went away (a broken pipe) is no
/// error: what it does not want to read is not written.
pub(crate) struct Output {
    stdout: BufWriter<Target>,
    /// What that is called.
    target: String,
    gone: bool,
    /// Why something was not written that somebody waits for.
    lost: Option<io::Error>,
    /// The chosen format.
    pub format: MessageFormat,
    /// How text for people looks.
    pub style: Style,
    /// The same on standard error, which may go somewhere else.
    pub error_style: Style,
    /// How wide the terminal is, if there is one.
    pub columns: Option<usize>,
    quiet: bool,
    /// Whether what is printed is not the last word.
    so_far: bool,
    /// If findings are stored, the flags that say where: people are told how they are
    /// called there.
    pub stored: Option<String>,
}

impl Output {
    /// Output as the flags ask for.
    pub(crate) fn new(shared: &Shared) -> Output {
        let color = |is_terminal: bool| match shared.color {
            When::Always => true,
            When::Never => false,
            When::Auto => wants_color(|name| std::env::var_os(name), is_terminal),
        };
        let style = |is_terminal: bool, columns: Option<usize>| Style {
            color: color(is_terminal),
            verbose: shared.verbose,
            width: columns.unwrap_or(100),
        };
        let columns = terminal_width(io::stdout());
        Output {
            stdout: BufWriter::new(Target::Stdout(io::stdout().lock())),
            target: "standard output".to_owned(),
            gone: false,
            lost: None,
            format: shared.message_format,
            style: style(io::stdout().is_terminal(), columns),
            error_style: style(io::stderr().is_terminal(), terminal_width(io::stderr())),
            columns,
            quiet: shared.quiet,
            so_far: false,
            stored: None,
        }
    }

    /// What is printed by `print` is no result yet: it goes to standard error, as text
    /// if the chosen format is a document, and lines of JSON have other reasons.
    #[cfg(unix)]
    pub(crate) fn so_far(&mut self, print: impl FnOnce(&mut Output)) {
        self.flush();
        let stderr = Output {
            stdout: BufWriter::new(Target::Stderr(io::stderr())),
            target: String::new(),
            gone: false,
            lost: None,
            format: match self.format {
                MessageFormat::Json | MessageFormat::Short => self.format,
                _ => MessageFormat::Human,
            },
            style: self.error_style,
            error_style: self.error_style,
            columns: self.columns,
            // Somebody asked.
            quiet: false,
            so_far: true,
            stored: None,
        };
        let results = std::mem::replace(self, stderr);
        print(self);
        self.flush();
        *self = results;
    }

    /// From now on, writes to a file what would go to standard output. The file gets its
    /// name when the output is [finished](Output::finish).
    ///
    /// # Errors
    /// If it cannot be written.
    #[cfg(unix)]
    pub(crate) fn redirect(&mut self, path: &Path, shared: &Shared) -> io::Result<()> {
        let file = WholeFile::create(path)?;
        self.stdout = BufWriter::new(Target::File(file));
        self.target = path.display().to_string();
        self.style.color = shared.color == When::Always;
        Ok(())
    }

    /// Writes text to standard output, in which there may be names from outside.
    pub(crate) fn text(&mut self, text: &str) {
        let text = tame(text, self.apart(text));
        self.raw(&text);
    }

    /// How commands to a runner are taken out of a text: documents mean the same after it.
    fn apart(&self, text: &str) -> Apart {
        match self.format {
            MessageFormat::Json | MessageFormat::Sarif if text.starts_with('{') => Apart::Json,
            MessageFormat::Junit if text.starts_with('<') => Apart::Xml,
            _ => Apart::Text,
        }
    }

    /// Writes a command to GitHub's runner.
    pub(crate) fn command(&mut self, line: &str) {
        self.raw(line);
        self.raw("\n");
    }

    /// Writes text of our own to standard output as it is.
    pub(crate) fn raw(&mut self, text: &str) {
        if !self.gone {
            let written = self.stdout.write_all(text.as_bytes());
            self.notice(written);
        }
    }

    /// A reader that went away wants no more. Anything else is a loss.
    fn notice(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.gone = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.lost.get_or_insert(error);
            }
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// If not everything could be written.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.flush();
        let nowhere = BufWriter::new(Target::Stderr(io::stderr()));
        let (stdout, _) = std::mem::replace(&mut self.stdout, nowhere).into_parts();
        if let Target::File(file) = stdout
            && !self.gone
        {
            let finished = file.finish();
            self.notice(finished);
        }
        let target = &self.target;
        match self.lost.take() {
            Some(error) => Err(error).with_context(|| format!("cannot write {target}")),
            None => Ok(()),
        }
    }

    /// Writes a line to standard output.
    pub(crate) fn line(&mut self, text: &str) {
        self.text(text);
        self.text("\n");
    }

    /// Whether nobody reads standard output any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone
    }

    /// Prints a finding in the chosen format, unless that is one document: then
    /// it comes at the end.
    /// `trace` is named where there are several.
    pub(crate) fn finding(
        &mut self,
        trace: Option<&Path>,
        finding: &Finding,
        sources: &dyn Sources,
    ) {
        let text = match self.format {
            MessageFormat::Human => self.human(finding, sources) + "\n",
            MessageFormat::Short => short::finding(finding, sources),
            MessageFormat::Json => {
                let trace = trace.map(|path| path.display().to_string());
                json::finding_as(self.reason("finding"), trace.as_deref(), finding)
            }
            MessageFormat::Github => return self.command(&github::finding(finding, sources)),
            MessageFormat::Sarif | MessageFormat::Junit => return,
        };
        self.line(&text);
    }

    /// A finding for people.
    pub(crate) fn human(&self, finding: &Finding, sources: &dyn Sources) -> String {
        match &self.stored {
            Some(flags) => human::stored_finding(finding, flags, sources, &self.style),
            None => human::finding(finding, sources, &self.style),
        }
    }

    /// The reason of a line of JSON.
    fn reason(&self, reason: &'static str) -> &'static str {
        match reason {
            "finding" if self.so_far => "finding-so-far",
            "summary" if self.so_far => "summary-so-far",
            reason => reason,
        }
    }

    /// Prints a line for people only.
    pub(crate) fn heading(&mut self, text: &str) {
        if self.format == MessageFormat::Human {
            self.line(text);
        }
    }

    /// Whether only findings and errors are wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints what came of something, for people, unless asked to be quiet.
    pub(crate) fn result_line(&mut self, text: &str) {
        if !self.quiet {
            self.line(text);
            self.flush();
        }
    }

    /// Prints the summary in the chosen format. Next to a document it is a note
    /// for whoever watches.
    pub(crate) fn summary(&mut self, summary: &Summary) {
        match self.format {
            MessageFormat::Json => {
                let line = json::summary_as(self.reason("summary"), summary);
                self.line(&line);
            }
            _ if self.quiet => {}
            format if format.is_document() => self.note(&summary.to_string()),
            MessageFormat::Github => {
                if summary.verdict == Verdict::Inconclusive {
                    self.command(&github::inconclusive(summary));
                }
                self.line(&summary.line(&self.style));
            }
            _ => self.line(&summary.line(&self.style)),
        }
    }

    /// Ends a run that has looked at nothing: JSON always ends with a summary, and to people
    /// the errors say it all.
    pub(crate) fn summary_for_machines(&mut self, summary: &Summary) {
        if matches!(self.format, MessageFormat::Json) {
            self.summary(summary);
        }
    }

    /// Prints diagnostics of a text: results of `spec check`.
    pub(crate) fn diagnostics(&mut self, diagnostics: &[Diagnostic], source: &Source<'_>) {
        if diagnostics.is_empty() {
            return;
        }
        match self.format {
            MessageFormat::Human => {
                let text = diagnostic::human(diagnostics, source, &self.style);
                self.line(&text);
                self.text("\n");
            }
            MessageFormat::Json => {
                for diagnostic in diagnostics {
                    self.line(&diagnostic::json(diagnostic, source));
                }
            }
            MessageFormat::Short => {
                for diagnostic in diagnostics {
                    self.line(&diagnostic::short(diagnostic, source));
                }
            }
            MessageFormat::Github => {
                let name = &*in_repository(source.name);
                let source = Source { name, ..*source };
                for diagnostic in diagnostics {
                    self.command(&diagnostic::github(diagnostic, &source));
                }
            }
            MessageFormat::Sarif | MessageFormat::Junit => {}
        }
    }

    /// Says something on standard error, unless asked to be quiet.
    pub(crate) fn note(&mut self, text: &str) {
        if !self.quiet {
            self.stderr(text);
        }
    }

    /// Says on standard error what went wrong.
    pub(crate) fn error(&mut self, error: &anyhow::Error) {
        match error.downcast_ref::<Refusal>() {
            Some(refusal) => refusal.report(self),
            None => self.error_text(&format!("{error:#}")),
        }
    }

    /// The same for a text.
    pub(crate) fn error_text(&mut self, text: &str) {
        let text = commute_report::visible_lines(text);
        self.stderr(&format!("{}{text}", self.error_prefix()));
    }

    /// Writes text to standard error as it is, unless a runner would take it for a command.
    pub(crate) fn stderr(&mut self, text: &str) {
        self.flush();
        let _ = writeln!(io::stderr(), "{}", tame(text, Apart::Text));
    }

    fn error_prefix(&self) -> &'static str {
        if self.error_style.color {
            "\x1b[1m\x1b[31merror\x1b[0m: "
        } else {
            "error: "
        }
    }

    /// Writes what is buffered.
    pub(crate) fn flush(&mut self) {
        if !self.gone {
            let written = self.stdout.flush();
            self.notice(written);
        }
    }
}

impl Write for Output {
    /// Never fails on a broken pipe; [`Output::is_gone`] tells.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.gone {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// Where results go.
enum Target {
    Stdout(io::StdoutLock<'static>),
    Stderr(io::Stderr),
    File(WholeFile),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(stdout) => stdout.write(bytes),
            Target::Stderr(stderr) => stderr.write(bytes),
            Target::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(stdout) => stdout.flush(),
            Target::Stderr(stderr) => stderr.flush(),
            Target::File(file) => file.flush(),
        }
    }
}

/// `1 error`, `2 errors`.
pub(crate) fn count(n: u64, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{s}")
}

/// Whether there are colours if the command line does not say it: at a terminal that
/// shows them, unless `NO_COLOR` or `CLICOLOR=0` is set; elsewhere if `CLICOLOR_FORCE` is.
fn wants_color(variable: impl Fn(&str) -> Option<OsString>, is_terminal: bool) -> bool {
    let is_set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if is_set("NO_COLOR").is_some() {
        return false;
    }
    if is_set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    let unwanted = is_set("CLICOLOR").is_some_and(|value| value == "0");
    let dumb = is_set("TERM").is_some_and(|term| term == "dumb");
    is_terminal && !unwanted && !dumb
}

/// The width of the terminal, if this is one; `COLUMNS` knows better, unless it is no width.
fn terminal_width(stream: impl IsTerminal + AsFd) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let said = std::env::var("COLUMNS")
        .ok()
        .and_then(|said| said.parse().ok())
        .filter(|&width| width > 0);
    let asked = || terminal_size::terminal_size_of(stream);
    said.or_else(|| asked().map(|(width, _)| width.0.into()))
        .filter(|&width| width > 0)
}
