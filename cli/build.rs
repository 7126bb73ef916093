//! Generates the API client from `../openapi.json` into `$OUT_DIR/client.rs`, and what else of the contract is known
//! when `aw` is built.

use std::{env, error::Error, fs, path::Path};

use heck::ToPascalCase;
use progenitor::{GenerationSettings, Generator, InterfaceStyle};
use serde_json::{Value, json};

/// The schema that replaces free-form objects.
const RAW_JSON: &str = "RawJson";

/// What limits a value in a schema.
const LIMITS: [&str; 7] = ["minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"];

/// Lists in bodies of which null means the same as an empty one. An empty one is not sent then; of `issue_changes` that would be something
/// else.
const LISTS_WITHOUT_NULL: [&str; 2] = ["agents", "options"];

/// The limits of the contract that `aw` keeps to itself: a constant, its type, and where the contract has it.
const KEPT_LIMITS: [(&str, &str, &str); 9] = [
    ("MAX_ROUNDS", "u64", "DebateCreate/properties/max_rounds/maximum"),
    ("MAX_DEBATE_TITLE", "usize", "DebateCreate/properties/title/maxLength"),
    ("MAX_ISSUE_TITLE", "usize", "IssueChangeSubmit/properties/title/maxLength"),
    ("MAX_ISSUE_LOCATION", "usize", "IssueChangeSubmit/properties/location/maxLength"),
    ("MAX_ISSUE_NOTE", "usize", "IssueChangeSubmit/properties/note/maxLength"),
    ("MAX_ISSUE_CHANGES", "usize", "ArgumentSubmit/properties/issue_changes/maxItems"),
    ("MAX_AGENTS", "usize", "ArgumentSubmit/properties/agents/maxItems"),
    ("MAX_AGENT_NAME", "usize", "Agent/properties/program/maxLength"),
    ("MAX_AGENT_NUMBER", "u64", "Agent/properties/starts/maximum"),
];

/// Enumerations whose values are plain strings in answers, since later versions may add some. Each with a property that has those
/// that are known.
const OPEN_ENUMERATIONS: [(&str, &str, &str); 7] = [
    ("ArgumentType", "Argument", "type"),
    ("Action", "Turn", "action"),
    ("ChangeName", "IssueChange", "change"),
    ("Severity", "Issue", "severity"),
    ("AgentPurpose", "Agent", "purpose"),
    ("SeatState", "DebateContext", "seat"),
    ("ErrorCode", "Error", "code"),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=../openapi.json");
    println!("cargo::rerun-if-changed=build.rs");
    let mut openapi: Value = serde_json::from_str(include_str!("../openapi.json"))?;
    let out = env::var("OUT_DIR")?;
    for (name, schema, property) in OPEN_ENUMERATIONS {
        let known = &openapi["components"]["schemas"][schema]["properties"][property]["x-extensible-enum"];
        openapi["components"]["schemas"][name] = json!({"type": "string", "enum": known});
    }
    let ids: Value = operations(&mut openapi).map(|operation| operation["operationId"].clone()).collect();
    let version = &openapi["info"]["version"];
    let wait = openapi["paths"]["/wait"]["get"]["parameters"].as_array().into_iter().flatten();
    let max_wait = wait.filter(|one| one["name"] == "timeout").find_map(|one| one["schema"]["maximum"].as_f64());
    let max_wait = max_wait.ok_or("openapi.json limits no wait")?;
    fs::write(
        Path::new(&out).join("api.rs"),
        format!(
            "/// Version of the API that this program was built for.\npub const API_VERSION: &str = {version};\n\
             /// The operation ids of that API.\nconst OPERATIONS: &[&str] = &{ids};\n\
             /// How many seconds the server holds a wait at most.\npub const MAX_WAIT_SECONDS: u64 = {max_wait};\n"
        ),
    )?;
    fs::write(Path::new(&out).join("contract_limits.rs"), contract_limits(&openapi)?)?;
    fs::write(Path::new(&out).join("names.rs"), names(&openapi))?;
    fs::write(Path::new(&out).join("rules.rs"), rules(&openapi))?;
    loosen_responses(&mut openapi);
    openapi["components"]["schemas"][RAW_JSON] = json!({"type": "object"});
    let nullable = nullable_schemas(&mut openapi);
    adapt(&mut openapi, &nullable);

    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Positional);
    // In one order, so that a prompt and a command are the same each time.
    settings.with_map_type("::std::collections::BTreeMap");
    settings.with_replacement(RAW_JSON, "crate::client::RawJson", [].into_iter());
    let client = Generator::new(&settings).generate_tokens(&serde_json::from_value(openapi)?)?;
    fs::write(Path::new(&out).join("client.rs"), client.to_string())?;
    Ok(())
}

fn operations(openapi: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = openapi["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    paths.filter_map(Value::as_object_mut).flat_map(|path| path.values_mut())
}

/// The constants for [`KEPT_LIMITS`].
fn contract_limits(openapi: &Value) -> Result<String, String> {
    let constant = |(name, number, place): (&str, &str, &str)| {
        let value = openapi.pointer(&format!("/components/schemas/{place}")).and_then(Value::as_f64);
        let value = value.ok_or_else(|| format!("openapi.json has no {place}"))?;
        Ok(format!("/// `{place}`\npub const {name}: {number} = {value};\n"))
    };
    KEPT_LIMITS.into_iter().map(constant).collect()
}

/// The names of the values of all enumerations.
fn names(openapi: &Value) -> String {
    let schemas = openapi["components"]["schemas"].as_object().into_iter().flatten();
    let enumerations = schemas.filter(|(_, schema)| schema["enum"].is_array());
    let implementation = |(name, schema): (&String, &Value)| {
        format!("impl Named for types::{name} {{\nconst NAMES: &'static [&'static str] = &{};\n}}\n", schema["enum"])
    };
    enumerations.map(implementation).collect()
}

/// All debate types, and the text of `guides/rules` for each role and type. progenitor names the variants with heck.
fn rules(openapi: &Value) -> String {
    let values = |schema: &str| {
        let values = openapi["components"]["schemas"][schema]["enum"].as_array().into_iter().flatten();
        values.filter_map(Value::as_str).map(|name| (name, name.to_pascal_case())).collect::<Vec<_>>()
    };
    let types = values("DebateType");
    let variants: String = types.iter().map(|(_, variant)| format!("DebateType::{variant}, ")).collect();
    let text = |(role, of_role): &(&str, String), (debate_type, of_type): &(&str, String)| {
        format!(
            "(Role::{of_role}, DebateType::{of_type}) => include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \
             \"/guides/rules/{role}-{debate_type}.md\")),\n"
        )
    };
    let texts: String = values("Role").iter().flat_map(|role| types.iter().map(move |one| text(role, one))).collect();
    format!(
        "/// All debate types.\npub const DEBATE_TYPES: [DebateType; {}] = [{variants}];\n\n\
         /// How to argue, or to rule, in the role.\n\
         pub fn rules(role: Role, debate_type: DebateType) -> &'static str {{\nmatch (role, debate_type) {{\n{texts}}}\n}}\n",
        types.len()
    )
}

/// Replaces every response schema by `{success, data}` with untyped contents, or by any JSON, so that the order of
/// fields, nulls, and fields of newer servers reach the caller. The typed schemas are generated too, for reading `data`.
fn loosen_responses(openapi: &mut Value) {
    openapi["components"]["schemas"]["Success"] = json!({
        "type": "object",
        "required": ["success", "data"],
        "properties": {"success": {"type": "boolean"}, "data": {}},
    });
    // Proxies refuse with any JSON.
    openapi["components"]["schemas"]["Refusal"] = json!({});
    for operation in operations(openapi) {
        for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
            let name = if status.starts_with('2') { "Success" } else { "Refusal" };
            let schema = json!({"$ref": format!("#/components/schemas/{name}")});
            response["content"] = json!({"application/json": {"schema": schema}});
        }
    }
}

/// References to the schemas that may be null by themselves, which the generator cannot express and then no longer sees.
fn nullable_schemas(openapi: &mut Value) -> Vec<Value> {
    let schemas = openapi["components"]["schemas"].as_object_mut().into_iter().flatten();
    let nullable = schemas.filter_map(|(name, schema)| schema.as_object_mut()?.remove("nullable").map(|_| name));
    nullable.map(|name| json!(format!("#/components/schemas/{name}"))).collect()
}

/// Adapts schemas for the generator. Limits go, which the server checks and partly configures, and the date format, so that
/// times stay strings. Objects with arbitrary fields become raw JSON, which is sent exactly as the user wrote it. Properties
/// whose schema may be null become optional.
fn adapt(schema: &mut Value, nullable: &[Value]) {
    if schema["additionalProperties"] == json!({}) {
        *schema = json!({"$ref": format!("#/components/schemas/{RAW_JSON}")});
    }
    if let Value::Array(items) = schema {
        items.iter_mut().for_each(|item| adapt(item, nullable));
    }
    let properties = schema["properties"].clone();
    let Value::Object(fields) = schema else { return };
    if fields.get("format").is_some_and(|format| format == "date-time") {
        fields.remove("format");
    }
    if fields.get("type").is_some_and(Value::is_string) {
        fields.retain(|field, _| !LIMITS.contains(&field.as_str()));
    }
    let required = fields.get("required").cloned().unwrap_or_default();
    for name in LISTS_WITHOUT_NULL {
        let is_required = required.as_array().is_some_and(|names| names.contains(&json!(name)));
        let list = fields.get_mut("properties").and_then(|properties| properties.get_mut(name));
        if let Some(list) = list.and_then(Value::as_object_mut).filter(|_| !is_required) {
            list.remove("nullable");
        }
    }
    if let Some(Value::Array(required)) = fields.get_mut("required") {
        let property = |name: &Value| &properties[name.as_str().unwrap_or_default()];
        required.retain(|name| {
            !nullable.contains(&property(name)["$ref"]) && !nullable.contains(&property(name)["allOf"][0]["$ref"])
        });
    }
    fields.values_mut().for_each(|field| adapt(field, nullable));
}
