//! Examples of all requests and responses. They tell one small debate, which the server's own rules decide, so that they are
//! always as a server would answer.

mod debate;
mod document;
mod example_debate;
mod server;

use std::error::Error as StdError;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    app::{Error, SigningKey},
    domain::Side,
    http::contract,
};

type Result<T> = std::result::Result<T, Box<dyn StdError>>;

/// The id of the debate.
const DEBATE: &str = "3f0c1b7e-5d2a-4c8e-9b61-0a4d7e2f8c15";

/// The id of the document with the plan that is debated.
const PLAN: &str = "b81d6a52-90f4-4e3b-8c27-6f1e5a9d0372";

/// The contents of the first versions of the plan.
const PLAN_TEXTS: [&str; 3] = [
    "# Plan\n\n## 3.1 The job\n\nOne DELETE removes all drafts that nobody opened for 90 days.\n",
    "# Plan\n\n## 3.1 The job\n\nIt removes drafts that nobody opened for 90 days, 500 at a time.\n",
    "# Plan\n\n## 3.1 The job\n\nIt removes drafts that nobody opened for 90 days, 500 at a time. Attachments stay.\n",
];

/// The key of the server of the examples.
fn signing_key() -> SigningKey {
    SigningKey::from_random(&[7; SigningKey::BYTES])
}

/// The examples of one operation.
struct Example {
    operation_id: &'static str,
    request: Option<Value>,
    responses: Vec<Response>,
}

/// An example of a response.
struct Response {
    /// The status or the range of statuses in `openapi.json`
    status: &'static str,
    name: String,
    body: Value,
}

impl Example {
    /// The example of a read, without responses yet.
    fn read(operation_id: &'static str) -> Self {
        Self { operation_id, request: None, responses: Vec::new() }
    }

    /// The example of a write, without responses yet.
    fn write(operation_id: &'static str, request: Value) -> Self {
        Self { request: Some(request), ..Self::read(operation_id) }
    }

    /// Adds a response to a request that succeeds.
    fn answered(mut self, status: &'static str, name: &str, data: impl Serialize) -> Result<Self> {
        let body = json!({ "success": true, "data": serde_json::to_value(data)? });
        self.responses.push(Response { status, name: name.to_owned(), body });
        Ok(self)
    }

    /// Adds a response to a request that fails.
    fn refused(self, error: impl Into<contract::Error>) -> Result<Self> {
        self.failed("4XX", error)
    }

    fn failed(mut self, status: &'static str, error: impl Into<contract::Error>) -> Result<Self> {
        let error = error.into();
        let (name, error) = (error.code.clone(), serde_json::to_value(error)?);
        self.responses.push(Response { status, name, body: json!({ "success": false, "error": error }) });
        Ok(self)
    }
}

/// Adds the examples to the operations.
pub(super) fn add(contract: &mut Value) -> Result<()> {
    let examples = [debate::examples()?, document::examples()?, server::examples()?];
    for example in examples.into_iter().flatten() {
        let example = example.failed("5XX", Error::Unavailable)?;
        if let Some(operation) = operation(contract, example.operation_id) {
            example.add_to(operation);
        }
    }
    add_path_parameters(contract);
    Ok(())
}

impl Example {
    fn add_to(self, operation: &mut Value) {
        if let Some(request) = self.request {
            operation["requestBody"]["content"]["application/json"]["example"] = request;
        }
        for Response { status, name, body } in self.responses {
            operation["responses"][status]["content"]["application/json"]["examples"][name]["value"] = body;
        }
    }
}

fn operation<'a>(contract: &'a mut Value, id: &str) -> Option<&'a mut Value> {
    let paths = contract["paths"].as_object_mut()?.values_mut().filter_map(Value::as_object_mut);
    paths.flat_map(|path| path.values_mut()).find(|operation| operation["operationId"] == id)
}

/// Adds the examples of parameters in paths.
fn add_path_parameters(contract: &mut Value) {
    let Some(paths) = contract["paths"].as_object_mut() else { return };
    for (path, operations) in paths {
        let id = if path.starts_with("/documents") { PLAN } else { DEBATE };
        let operations = operations.as_object_mut().into_iter().flat_map(|operations| operations.values_mut());
        let parameters = operations.filter_map(|operation| operation.get_mut("parameters")?.as_array_mut()).flatten();
        parameters.filter(|parameter| parameter["in"] == "path").for_each(|parameter| {
            let is_role = parameter["name"] == "role";
            parameter["example"] = if is_role { json!(Side::Opponent.as_str()) } else { json!(id) };
        });
    }
}

/// Reads a request body as the server does.
fn body<T: DeserializeOwned>(request: &Value) -> Result<T> {
    Ok(serde_json::from_str(&request.to_string())?)
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::http::routes::tests::generate_openapi_json::openapi;

    /// Makes a schema of OpenAPI 3.0 one of JSON Schema, and forbids fields that it does not describe.
    fn tighten(schema: &mut Value) {
        match schema {
            Value::Object(fields) => {
                if fields.get("nullable") == Some(&json!(true)) {
                    let not_null = fields["type"].take();
                    fields["type"] = json!([not_null, "null"]);
                }
                if fields.contains_key("properties") {
                    fields.insert("additionalProperties".to_owned(), json!(false));
                }
                fields.values_mut().for_each(tighten);
            }
            Value::Array(items) => items.iter_mut().for_each(tighten),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn operations(contract: &Value) -> Vec<&Value> {
        let paths = contract["paths"].as_object().unwrap().values().map(|path| path.as_object().unwrap());
        paths.flat_map(Map::values).collect()
    }

    /// The parts of an operation that have contents, with their names.
    fn contents(operation: &Value) -> Vec<(String, &Value)> {
        let responses = operation["responses"].as_object().unwrap().iter();
        let id = operation["operationId"].as_str().unwrap();
        responses
            .map(|(status, response)| (format!("{id} {status}"), response))
            .chain(operation.get("requestBody").map(|request| (format!("{id} request"), request)))
            .map(|(name, part)| (name, &part["content"]["application/json"]))
            .collect()
    }

    #[test]
    fn every_request_and_response_has_an_example_that_matches_its_schema() {
        let contract: Value = serde_json::from_str(&openapi()).unwrap();
        let mut schemas = contract["components"]["schemas"].clone();
        tighten(&mut schemas);
        for (name, content) in operations(&contract).into_iter().flat_map(contents) {
            let schema = json!({ "$ref": content["schema"]["$ref"], "components": { "schemas": schemas } });
            let schema = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
            let examples = content.get("examples").and_then(Value::as_object).into_iter().flat_map(Map::values);
            let examples: Vec<_> = examples.map(|one| &one["value"]).chain(content.get("example")).collect();
            assert!(!examples.is_empty(), "{name} has no example");
            for example in examples {
                let faults: Vec<_> =
                    schema.iter_errors(example).map(|e| format!("{}: {e}", e.instance_path())).collect();
                assert!(faults.is_empty(), "{name}: {faults:#?}");
            }
        }
    }

    #[test]
    fn all_examples_are_of_the_same_debate_and_the_same_document() {
        fn ids(value: &Value, of: &str, found: &mut Vec<String>) {
            match value {
                Value::Object(fields) => fields.iter().for_each(|(name, value)| match value.as_str() {
                    Some(id) if name == of => found.push(id.to_owned()),
                    Some(_) | None => ids(value, of, found),
                }),
                Value::Array(items) => items.iter().for_each(|item| ids(item, of, found)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        let contract: Value = serde_json::from_str(&openapi()).unwrap();
        for (of, only) in [("debate_id", DEBATE), ("document_id", PLAN)] {
            let mut found = Vec::new();
            operations(&contract).into_iter().for_each(|operation| ids(operation, of, &mut found));
            assert!(!found.is_empty() && found.iter().all(|id| id == only), "{of}: {found:?}");
        }
    }
}
