//! Compares the API that this program was built for with the one that the server offers.

use std::collections::HashSet;

use serde_json::Value;

include!(concat!(env!("OUT_DIR"), "/api.rs"));

/// The version of the contract since which a plan is sent with its argument.
pub const PLAN_WITH_ARGUMENT: &str = "0.1.0";

/// Whether a version of the contract is this one or a later one.
pub fn is_at_least(contract: &str, needed: &str) -> bool {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        version.split(['-', '+']).next()?.split('.').map(|number| number.parse().ok()).collect()
    };
    numbers(contract).is_some_and(|contract| Some(contract) >= numbers(needed))
}

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
    fn versions_are_compared_by_their_numbers() {
        for (contract, needed, expected) in [
            ("0.2.0", "0.2.0", true),
            ("0.10.0", "0.2.0", true),
            ("1.0.0-rc.1", "0.2.0", true),
            ("0.1.9", "0.2.0", false),
            ("0.2", "0.2.0", false),
            ("", "0.2.0", false),
            ("new", "0.2.0", false),
        ] {
            assert_eq!(is_at_least(contract, needed), expected, "{contract}");
        }
        assert!(is_at_least(API_VERSION, PLAN_WITH_ARGUMENT), "this server has what this program needs");
    }

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
