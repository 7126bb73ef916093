//! The programs that were started to write an argument, in requests and responses.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::plain_string::PlainString;
use crate::domain::{self, Role, usage_fields};

macro_rules! agents {
    ($($(#[$($doc:tt)+])+ $field:ident,)+) => {
        /// One start of a program to write an argument, or several of which the numbers are sums. What is not known is left out.
        #[skip_serializing_none]
        #[derive(Debug, Clone, Object, Serialize, Deserialize)]
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
        #[skip_serializing_none]
        #[derive(Debug, Clone, Object, Serialize)]
        pub struct RecordAgents {
            /// The role that wrote the arguments
            pub role: PlainString<Role>,
            /// How often it was started
            pub starts: u64,
            /// The program
            pub program: Option<String>,
            /// The model
            pub model: Option<String>,
            /// What it was started for: `turn`, `review`, `reading`, or `failed` if it failed
            pub purpose: Option<String>,
            $($(#[$($doc)+])+ pub $field: Option<u64>,)+
        }

        impl From<&domain::Agent> for Agent {
            fn from(domain::Agent { program, model, purpose, starts, usage }: &domain::Agent) -> Self {
                Self {
                    program: program.clone(),
                    model: model.clone(),
                    purpose: purpose.map(|purpose| purpose.to_string()),
                    starts: *starts,
                    $($field: usage.$field,)+
                }
            }
        }

        impl From<&Agent> for domain::Usage {
            fn from(agent: &Agent) -> Self {
                Self { $($field: agent.$field,)+ }
            }
        }

        impl From<domain::AgentsOfRole> for RecordAgents {
            fn from(of_role: domain::AgentsOfRole) -> Self {
                let domain::AgentsOfRole { role, starts, program, model, purpose, usage } = of_role;
                Self {
                    role: role.into(),
                    starts,
                    program,
                    model,
                    purpose: purpose.map(|purpose| purpose.to_string()),
                    $($field: usage.$field,)+
                }
            }
        }
    };
}

usage_fields!(agents);
