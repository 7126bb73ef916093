//! Generates the API client from `../openapi.json` into `$OUT_DIR/client.rs`, and the list of debate types with their rules.

use std::{env, error::Error, fs, path::Path};

use progenitor::{GenerationSettings, Generator, InterfaceStyle};
use serde_json::{Value, json};

/// The schema that replaces free-form objects.
const RAW_JSON: &str = "RawJson";

/// What limits a value in a schema.
const LIMITS: [&str; 7] = ["minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=../openapi.json");
    println!("cargo::rerun-if-changed=build.rs");
    let mut openapi: Value = serde_json::from_str(include_str!("../openapi.json"))?;
    let (version, operations) = (&openapi["info"]["version"], operation_ids(&openapi));
    let longest_wait = longest_wait(&openapi).ok_or("the wait has no maximum of its timeout")?;
    let out = env::var("OUT_DIR")?;
    fs::write(
        Path::new(&out).join("api.rs"),
        format!(
            "/// Version of the API that this program was built for.\npub const API_VERSION: &str = {version};\n\
             /// The operation ids of that API.\nconst OPERATIONS: &[&str] = &{operations:?};\n\
             /// How many seconds the server holds a wait at most.\npub const MAX_WAIT_SECONDS: u64 = {longest_wait};\n"
        ),
    )?;
    fs::write(Path::new(&out).join("debate_types.rs"), debate_types(&openapi))?;
    fs::write(Path::new(&out).join("names.rs"), names(&openapi))?;
    loosen_responses(&mut openapi);
    make_nullable_schemas_optional(&mut openapi);
    remove_limits(&mut openapi);
    keep_free_form_objects_raw(&mut openapi);

    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Positional);
    settings.with_replacement(RAW_JSON, "crate::client::RawJson", [].into_iter());
    let client = Generator::new(&settings).generate_tokens(&serde_json::from_value(openapi)?)?;
    fs::write(Path::new(&out).join("client.rs"), client.to_string())?;
    Ok(())
}

fn operation_ids(openapi: &Value) -> Vec<&str> {
    let paths = openapi["paths"].as_object().into_iter().flat_map(|paths| paths.values());
    let operations = paths.filter_map(Value::as_object).flat_map(|path| path.values());
    operations.filter_map(|operation| operation["operationId"].as_str()).collect()
}

fn longest_wait(openapi: &Value) -> Option<u64> {
    let parameters = openapi["paths"]["/debates/{id}/wait"]["get"]["parameters"].as_array()?;
    let timeout = parameters.iter().find(|parameter| parameter["name"] == "timeout")?;
    timeout["schema"]["maximum"].as_f64().map(|seconds| seconds as u64)
}

/// The values of an enumeration in the contract.
fn values<'a>(openapi: &'a Value, schema: &str) -> Vec<&'a str> {
    let values = openapi["components"]["schemas"][schema]["enum"].as_array().into_iter().flatten();
    values.filter_map(Value::as_str).collect()
}

/// The names of the values of all enumerations.
fn names(openapi: &Value) -> String {
    let schemas = openapi["components"]["schemas"].as_object().into_iter().flat_map(|schemas| schemas.keys());
    let named = schemas.map(|schema| (schema, values(openapi, schema))).filter(|(_, values)| !values.is_empty());
    let implementation = |(schema, values)| {
        format!("impl Named for types::{schema} {{\nconst NAMES: &'static [&'static str] = &{values:?};\n}}\n")
    };
    named.map(implementation).collect()
}

/// The list of debate types, and the function that has the rules of each for each role.
fn debate_types(openapi: &Value) -> String {
    // The name that the generator of the client gives to a variant.
    let variant = |value: &str| -> String {
        value.split('_').map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..])).collect()
    };
    let (types, roles) = (values(openapi, "DebateType"), values(openapi, "Role"));
    let list: Vec<String> = types.iter().map(|one| format!("DebateType::{}", variant(one))).collect();
    let rules = roles.iter().flat_map(|role| {
        types.iter().map(move |one| {
            let file = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/guides/rules/{role}-{one}.md\")");
            format!("(Role::{}, DebateType::{}) => include_str!({file}),\n", variant(role), variant(one))
        })
    });
    format!(
        "/// All debate types.\npub const DEBATE_TYPES: [DebateType; {count}] = [{}];\n\
         /// How to argue, or to rule, in the role.\n\
         pub fn rules(role: Role, debate_type: DebateType) -> &'static str {{\nmatch (role, debate_type) {{\n{}}}\n}}\n",
        list.join(", "),
        rules.collect::<String>(),
        count = types.len(),
    )
}

/// Replaces every response schema by `{success, data}` or `{success, error}` with untyped contents, so that the order of
/// fields, nulls, and fields of newer servers reach the caller. The typed schemas are generated too, for reading `data`.
fn loosen_responses(openapi: &mut Value) {
    openapi["components"]["schemas"]["Success"] = envelope("data");
    openapi["components"]["schemas"]["Refusal"] = envelope("error");
    let Some(paths) = openapi["paths"].as_object_mut() else { return };
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

/// Makes properties whose schema may be null optional. The generator cannot express a schema that may be null by itself.
fn make_nullable_schemas_optional(openapi: &mut Value) {
    let Some(schemas) = openapi["components"]["schemas"].as_object_mut() else { return };
    let mut nullable = Vec::new();
    for (name, schema) in schemas.iter_mut() {
        let is_nullable = schema.as_object_mut().and_then(|fields| fields.remove("nullable"));
        nullable.extend(is_nullable.map(|_| json!(format!("#/components/schemas/{name}"))));
    }
    for schema in schemas.values_mut() {
        let properties = schema["properties"].clone();
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            let is_nullable = |name: &Value| {
                let property = &properties[name.as_str().unwrap_or_default()];
                nullable.contains(&property["$ref"]) || nullable.contains(&property["allOf"][0]["$ref"])
            };
            required.retain(|name| !is_nullable(name));
        }
    }
}

fn envelope(contents: &str) -> Value {
    json!({
        "type": "object",
        "required": ["success", contents],
        "properties": {"success": {"type": "boolean"}, contents: {}},
    })
}

/// Removes limits, which the server checks and partly configures, and the date format, so that times stay strings.
fn remove_limits(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("format").is_some_and(|format| format == "date-time") {
                fields.remove("format");
            }
            if fields.get("type").is_some_and(Value::is_string) {
                fields.retain(|field, _| !LIMITS.contains(&field.as_str()));
            }
            fields.values_mut().for_each(remove_limits);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_limits),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Replaces objects with arbitrary fields by raw JSON, which is sent exactly as the user wrote it.
fn keep_free_form_objects_raw(openapi: &mut Value) {
    fn replace(schema: &mut Value) {
        if schema["additionalProperties"] == json!({}) {
            *schema = json!({"$ref": format!("#/components/schemas/{RAW_JSON}")});
            return;
        }
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.values_mut().for_each(replace);
        }
    }
    let Some(schemas) = openapi["components"]["schemas"].as_object_mut() else { return };
    schemas.values_mut().for_each(replace);
    schemas.insert(RAW_JSON.to_owned(), json!({"type": "object"}));
}
