//! Goes through the schemas of `openapi.json`.

use serde_json::{Map, Value};

/// Calls `add` for each property that has a type of its own, with the names of its schema and of the property.
pub(super) fn for_each_property(contract: &mut Value, mut add: impl FnMut(&str, &str, &mut Map<String, Value>)) {
    let Some(schemas) = contract["components"]["schemas"].as_object_mut() else { return };
    for (schema, description) in schemas {
        let Some(properties) = description.get_mut("properties").and_then(Value::as_object_mut) else { continue };
        for (property, description) in properties {
            if let Some(description) =
                description.as_object_mut().filter(|description| description.contains_key("type"))
            {
                add(schema, property, description);
            }
        }
    }
}
