//! Enumerations that have a fixed spelling in the contract and in the store.

/// A text that is none of the names that its kind knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not one of {known}")]
pub struct UnknownName {
    /// The text as it was given
    pub given: String,
    /// The names that would have been understood
    pub known: String,
}

/// Declares an enum whose variants each have exactly one spelling, for the contract and the store alike.
macro_rules! named {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $spelling:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $name {
            /// Every one there is, in the contract's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Its spelling in the contract and in the store.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $spelling,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::domain::name::UnknownName;

            fn from_str(given: &str) -> Result<Self, Self::Err> {
                match given {
                    $($spelling => Ok(Self::$variant),)+
                    other => Err($crate::domain::name::UnknownName {
                        given: other.to_owned(),
                        known: [$($spelling),+].join(", "),
                    }),
                }
            }
        }
    };
}

pub(crate) use named;
