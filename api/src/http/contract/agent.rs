//! The programs that were started to write an argument, in requests and responses.

use poem_openapi::Object;
use serde::Deserialize;

use crate::domain::{self, Role, usage_fields};

macro_rules! agents {
    ($($(#[$($doc:tt)+])+ $field:ident,)+) => {
        /// One start of a program to write an argument, or several of which the numbers are sums. What is not known is left out.
        #[derive(Debug, Object, Deserialize)]
        pub struct Agent {
            /// The program, 1 to 100 characters
            pub program: Option<String>,
            /// The model, 1 to 100 characters
            pub model: Option<String>,
            /// What it was started for: `turn`, `review`, `reading`, or `failed` if it failed
            pub purpose: Option<String>,
            /// How many starts these are; left out for one
            pub starts: Option<u64>,
            $($(#[$($doc)+])+ pub $field: Option<u64>,)+
        }

        /// The starts of a program by a role, with one model and for one purpose. Sums are of those that told the number.
        #[derive(Object)]
        pub struct RecordAgents {
            /// The role that wrote the arguments
            role: Role,
            /// How often it was started
            starts: u64,
            /// The program
            program: Option<String>,
            /// The model
            model: Option<String>,
            /// What it was started for: `turn`, `review`, `reading`, or `failed` if it failed
            purpose: Option<String>,
            $($(#[$($doc)+])+ $field: Option<u64>,)+
        }

        impl From<&Agent> for domain::Usage {
            fn from(agent: &Agent) -> Self {
                Self { $($field: agent.$field,)+ }
            }
        }
    };
}

usage_fields!(agents);
