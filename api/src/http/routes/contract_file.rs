//! `openapi.json`: generated from the contract's types, and completed where those cannot say it.

use std::collections::HashMap;

use poem::{endpoint::BoxEndpoint, http::Method};
use poem_openapi::{
    OpenApi,
    registry::{MetaApi, Registry},
};
use serde_json::{Value, json};

use super::{Endpoints, describe};

/// The endpoints as far as the contract tells of them: what they are, without what they need to run.
struct Described;

impl OpenApi for Described {
    fn meta() -> Vec<MetaApi> {
        Endpoints::meta()
    }

    fn register(registry: &mut Registry) {
        Endpoints::register(registry);
    }

    fn add_routes(self, _routes: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {}
}

/// The contract as it is served and checked in.
pub fn openapi() -> String {
    let generated = describe(Described).spec();
    // What poem-openapi has written is JSON; were it not, the text itself would show it best.
    let Ok(mut contract) = serde_json::from_str(&generated) else { return generated };
    complete(&mut contract);
    format!("{contract:#}\n")
}

fn complete(contract: &mut Value) {
    // null means something here: an argument that answers none, a ruling that chooses none.
    let argument = &mut contract["components"]["schemas"]["Argument"];
    for property in ["parent_id", "chosen_option"] {
        argument["properties"][property]["nullable"] = json!(true);
    }
    if let Some(required) = argument["required"].as_array_mut() {
        required.push(json!("parent_id"));
    }
    // A document that is not deleted.
    let document = &mut contract["components"]["schemas"]["Document"];
    document["properties"]["deleted_at"]["nullable"] = json!(true);
    if let Some(required) = document["required"].as_array_mut() {
        required.push(json!("deleted_at"));
    }
    // Errors may grow: a client must hand on what it does not know.
    contract["components"]["schemas"]["Error"]["additionalProperties"] = json!(true);
    contract["components"]["securitySchemes"] = json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Where the server is set to ask for one: DEBATE_AUTH_TOKEN, or DEBATE_ARBITRATOR_TOKEN for the \
                            arbitrator's actions."
        }
    });
    contract["security"] = json!([{}, { "token": [] }]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_that_is_checked_in_is_the_one_that_is_served() {
        let checked_in = include_str!("../../../../openapi.json");
        assert!(
            checked_in == openapi(),
            "openapi.json is not what the types say: write it anew with `make contract` and review the difference"
        );
    }
}
