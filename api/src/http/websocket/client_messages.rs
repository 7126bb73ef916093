//! The messages of clients, which `asyncapi.yaml` describes: `{"event": …, "data": …}`.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::{
    app::Error,
    domain::{DebateId, Limits},
    http::request_bodies::{self, HasLimits, InterventionSubmit, RulingSubmit},
};

/// A message from the client.
pub(super) enum ClientMessage {
    SubmitRuling(DebateId, RulingSubmit),
    SubmitIntervention(DebateId, InterventionSubmit),
}

#[derive(Deserialize)]
struct Envelope<'a> {
    event: String,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

/// The field of `data` that the reply repeats, even if the rest of `data` is invalid.
#[derive(Deserialize)]
struct WithRequestId {
    request_id: Option<String>,
}

/// What `data` has besides the fields of the request body, of which `request_id` takes the place of `client_request_id`.
#[derive(Deserialize)]
struct Action {
    debate_id: Uuid,
    request_id: Option<String>,
}

impl HasLimits for Envelope<'_> {}

impl HasLimits for Action {}

/// Parses a client's message. The first value is the `request_id` for the reply.
pub(super) fn parse(text: &str, limits: &Limits) -> (Option<String>, Result<ClientMessage, Error>) {
    let Envelope { event, data } = match request_bodies::parse("message", text.as_bytes(), limits) {
        Ok(envelope) => envelope,
        Err(error) => return (None, Err(error)),
    };
    let data = data.map_or("{}", RawValue::get);
    let request_id = serde_json::from_str(data).ok().and_then(|data: WithRequestId| data.request_id);
    let message = match event.as_str() {
        "submit_ruling" => action(data, limits).and_then(|(debate, client_request_id, body): (_, _, RulingSubmit)| {
            if body.dry_run == Some(true) {
                return Err(Error::invalid("dry_run", "is for POST /debates/{id}/ruling only"));
            }
            Ok(ClientMessage::SubmitRuling(debate, RulingSubmit { client_request_id, ..body }))
        }),
        "submit_intervention" => action(data, limits).map(|(debate, client_request_id, body)| {
            ClientMessage::SubmitIntervention(debate, InterventionSubmit { client_request_id, ..body })
        }),
        other => {
            let message = format!("is {other:?}; the known events are submit_intervention and submit_ruling");
            Err(Error::invalid("event", message))
        }
    };
    (request_id, message)
}

/// The debate, the `request_id` and the body of an action.
fn action<T: DeserializeOwned + HasLimits>(
    data: &str,
    limits: &Limits,
) -> Result<(DebateId, Option<String>, T), Error> {
    let body = request_bodies::parse("data", data.as_bytes(), limits)?;
    let Action { debate_id, request_id } = request_bodies::parse("data", data.as_bytes(), limits)?;
    Ok((DebateId(debate_id), request_id, body))
}

/// Renames the field in an error: it is called `client_request_id` in the REST API and `request_id` in messages.
pub(super) fn rename_request_id(mut error: Error) -> Error {
    if let Error::Invalid { field, .. } = &mut error
        && field == "client_request_id"
    {
        "request_id".clone_into(field);
    }
    error
}
