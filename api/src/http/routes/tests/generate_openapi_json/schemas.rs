//! Goes through the schemas of `openapi.json`.

use serde_json::{Map, Value};

/// Calls `change` for each property that has a type of its own, with the names of its schema and of the property.
pub(super) fn for_each_typed_property(
    contract: &mut Value,
    mut change: impl FnMut(&str, &str, &mut Map<String, Value>),
) {
    for_each_property(contract, |schema, property, description| {
        if description.contains_key("type") {
            change(schema, property, description);
        }
    });
}

/// Calls `change` for each property, with the names of its schema and of the property.
pub(super) fn for_each_property(contract: &mut Value, mut change: impl FnMut(&str, &str, &mut Map<String, Value>)) {
    let Some(schemas) = contract["components"]["schemas"].as_object_mut() else { return };
    for (schema, description) in schemas {
        let Some(properties) = description.get_mut("properties").and_then(Value::as_object_mut) else { continue };
        for (property, description) in properties {
            if let Some(description) = description.as_object_mut() {
                change(schema, property, description);
            }
        }
    }
}
