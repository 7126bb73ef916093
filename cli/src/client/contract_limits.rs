//! The limits of the contract that `aw` keeps to itself.

include!(concat!(env!("OUT_DIR"), "/contract_limits.rs"));
