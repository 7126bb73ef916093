//! The contract that this program was built for.

use std::collections::HashSet;

use serde_json::Value;

include!(concat!(env!("OUT_DIR"), "/contract.rs"));

/// The operations that this program may ask for and that another contract does not have.
pub fn missing_in(other: &Value) -> Vec<&'static str> {
    let paths = other["paths"].as_object().into_iter().flat_map(|paths| paths.values());
    let operations = paths.filter_map(Value::as_object).flat_map(|path| path.values());
    let there: HashSet<&str> = operations.filter_map(|operation| operation["operationId"].as_str()).collect();
    OPERATIONS.iter().copied().filter(|operation| !there.contains(operation)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_older_server_is_told_by_what_it_lacks() {
        let only_one = json!({"paths": {"/debates": {"get": {"operationId": "debate_list"}}}});
        let missing = missing_in(&only_one);
        assert!(missing.contains(&"debate_create") && !missing.contains(&"debate_list"), "{missing:?}");
        let ours: Value = serde_json::from_str(include_str!("../../openapi.json")).unwrap();
        assert_eq!(missing_in(&ours), Vec::<&str>::new());
        assert_eq!(ours["info"]["version"], VERSION);
    }
}
