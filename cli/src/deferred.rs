//! Commands that are defined only once they are meant: whoever runs one does not pay for the options of all others.

use clap::{ArgMatches, Args, Command, FromArgMatches, error::Error};

/// A command whose options are not made before it is known to be the one that runs, or that is told about.
///
/// What it is about stands beside it where it is listed, which is shown without them.
pub struct Deferred<T>(pub T);

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| as_listed(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| as_listed(command, T::augment_args_for_update))
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }

    fn update_from_arg_matches_mut(&mut self, matches: &mut ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches_mut(matches)
    }
}

/// Defines a command, whose options must not change what it was listed to be about.
fn as_listed(command: Command, define: fn(Command) -> Command) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    define(command).about(about)
}
