//! Generates the client of the server's contract, `../openapi.json`, into `$OUT_DIR/client.rs`.

use std::{env, error::Error, fs, path::Path};

use progenitor::{GenerationSettings, Generator, InterfaceStyle};
use serde_json::{Value, json};

const CONTRACT: &str = "../openapi.json";

/// The schema of what is passed on as it was written.
const VERBATIM: &str = "Verbatim";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={CONTRACT}");
    println!("cargo::rerun-if-changed=build.rs");
    let contract = fs::read_to_string(CONTRACT).map_err(|error| format!("cannot read {CONTRACT}: {error}"))?;
    let mut contract: Value = serde_json::from_str(&contract)?;
    let (version, operations) = (&contract["info"]["version"], operation_ids(&contract));
    let out = env::var("OUT_DIR")?;
    fs::write(
        Path::new(&out).join("contract.rs"),
        format!(
            "/// Its version.\npub const VERSION: &str = {version};\n\
             /// The ids of its operations.\nconst OPERATIONS: &[&str] = &{operations:?};\n"
        ),
    )?;
    open_envelopes(&mut contract);
    leave_judgement_to_the_server(&mut contract);
    pass_on_verbatim(&mut contract);

    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Positional);
    settings.with_replacement(VERBATIM, "crate::verbatim::Verbatim", [].into_iter());
    let client = Generator::new(&settings).generate_tokens(&serde_json::from_value(contract)?)?;
    fs::write(Path::new(&out).join("client.rs"), client.to_string())?;
    Ok(())
}

fn operation_ids(contract: &Value) -> Vec<&str> {
    let paths = contract["paths"].as_object().into_iter().flat_map(|paths| paths.values());
    let operations = paths.filter_map(Value::as_object).flat_map(|path| path.values());
    operations.filter_map(|operation| operation["operationId"].as_str()).collect()
}

/// Every answer of the contract is `{success, data}` or `{success, error}`. The generated client reads these two and
/// leaves what is inside as the server wrote it: the order of the fields, a `null` that means something, and fields that
/// are younger than this program reach the caller. The types inside are generated all the same, to be read with.
fn open_envelopes(contract: &mut Value) {
    contract["components"]["schemas"]["Success"] = envelope("data");
    contract["components"]["schemas"]["Refusal"] = envelope("error");
    let Some(paths) = contract["paths"].as_object_mut() else { return };
    let operations = paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.values_mut());
    for operation in operations {
        let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else { continue };
        for (status, response) in responses {
            let name = if status.starts_with('2') { "Success" } else { "Refusal" };
            if let Some(content) = response.get_mut("content").and_then(Value::as_object_mut) {
                for media in content.values_mut() {
                    media["schema"] = json!({"$ref": format!("#/components/schemas/{name}")});
                }
            }
        }
    }
}

fn envelope(inside: &str) -> Value {
    json!({
        "type": "object",
        "required": ["success", inside],
        "properties": {"success": {"type": "boolean"}, inside: {}},
    })
}

/// Limits are the server's to check, since some of them are set where it runs. Times are passed on as they are written.
fn leave_judgement_to_the_server(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("format").is_some_and(|format| format == "date-time") {
                fields.remove("format");
            }
            if fields.get("type").is_some_and(Value::is_string) {
                for limit in ["minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"] {
                    fields.remove(limit);
                }
            }
            fields.values_mut().for_each(leave_judgement_to_the_server);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_judgement_to_the_server),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// An object with whatever fields somebody likes is theirs: it is sent as they wrote it, number by number.
fn pass_on_verbatim(contract: &mut Value) {
    fn replace(schema: &mut Value) {
        if schema["additionalProperties"] == json!({}) {
            *schema = json!({"$ref": format!("#/components/schemas/{VERBATIM}")});
            return;
        }
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.values_mut().for_each(replace);
        }
    }
    let Some(schemas) = contract["components"]["schemas"].as_object_mut() else { return };
    schemas.values_mut().for_each(replace);
    schemas.insert(VERBATIM.to_owned(), json!({"type": "object"}));
}
