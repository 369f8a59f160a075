//! Options of which it matters who said them: somebody who typed them now, or a file that
//! says what a project usually wants.

use std::ops::Deref;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Options, and whether any of them is on the command line.
#[derive(Debug)]
pub(crate) struct Given<T> {
    options: T,
    is_given: bool,
}

impl<T> Given<T> {
    /// Whether any of the options is on the command line.
    pub(crate) fn is_given(&self) -> bool {
        self.is_given
    }
}

impl<T> Deref for Given<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.options
    }
}

impl<T: Args> Args for Given<T> {
    fn augment_args(command: Command) -> Command {
        T::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: Args> FromArgMatches for Given<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given<T>, Error> {
        Given::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Given<T>, Error> {
        // Asked first: whoever takes the values takes this, too.
        let is_given = is_any_given::<T>(matches);
        Ok(Given {
            options: T::from_arg_matches_mut(matches)?,
            is_given,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.is_given |= is_any_given::<T>(matches);
        self.options.update_from_arg_matches(matches)
    }
}

fn is_any_given<T: Args>(matches: &ArgMatches) -> bool {
    let options = T::augment_args(Command::new("options"));
    let mut ids = options.get_arguments().map(clap::Arg::get_id);
    ids.any(|id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::cli::{Cli, Command};

    #[test]
    fn what_is_typed_is_given_and_a_default_is_not() {
        let run = |words: &str| match Cli::try_parse_from(words.split(' ')) {
            Ok(Cli {
                command: Command::Run(args),
                ..
            }) => args.program,
            other => panic!("{other:?}"),
        };
        assert!(
            !run("commute run --only races -- cargo test")
                .cargo
                .is_given()
        );
        assert!(!run("commute run -- cargo test").builds());
        assert!(run("commute run --release -- cargo test").builds());
        assert!(run("commute run -F extra -- cargo test").builds());
        assert!(run("commute run").builds());
    }
}
