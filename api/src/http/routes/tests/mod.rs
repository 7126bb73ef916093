//! Tests of the contract.

mod generate_openapi_json;
