//! What to do where somebody else has the seat of a role.

use std::fmt::Display;

use uuid::Uuid;

use super::next_command;
use crate::output::failure::Failure;

/// Says in commands what to do about `SEAT_TAKEN`; another failure stays as it is.
pub fn explained(failure: Failure, debate: Uuid, role: impl Display) -> Failure {
    if failure.code != "SEAT_TAKEN" {
        return failure;
    }
    let suggestion = format!(
        "Somebody writes as the {role} already, as another user, on another machine or in another container, and the key is \
         there in ~/.aweave/seats. Check --role and the debate id. If the key is lost, the arbitrator can free the seat with \
         aw debate free-seat --debate-id {debate} --role {role}; ask your user"
    );
    failure.with_suggestion(suggestion).with_next(next_command::context(debate, None))
}
