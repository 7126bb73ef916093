//! Compares the API that this program was built for with the one that the server offers.

use std::collections::HashSet;

use serde_json::Value;

include!(concat!(env!("OUT_DIR"), "/api.rs"));

/// The operations that this program may call and the server's `openapi.json` does not have.
pub fn missing_operations(openapi: &Value) -> Vec<&'static str> {
    let paths = openapi["paths"].as_object().into_iter().flat_map(|paths| paths.values());
    let operations = paths.filter_map(Value::as_object).flat_map(|path| path.values());
    let offered: HashSet<&str> = operations.filter_map(|operation| operation["operationId"].as_str()).collect();
    OPERATIONS.iter().copied().filter(|operation| !offered.contains(operation)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn operations_that_an_older_server_lacks_are_found() {
        let only_one = json!({"paths": {"/debates": {"get": {"operationId": "debate_list"}}}});
        let missing = missing_operations(&only_one);
        assert!(missing.contains(&"debate_create") && !missing.contains(&"debate_list"), "{missing:?}");
        let ours: Value = serde_json::from_str(include_str!("../../../openapi.json")).unwrap();
        assert_eq!(missing_operations(&ours), Vec::<&str>::new());
        assert_eq!(ours["info"]["version"], API_VERSION);
    }
}
