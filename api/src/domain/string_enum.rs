//! Enums whose variants are written as fixed strings in the API and in the database.

/// A string that is not the name of any variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not one of {known}")]
pub struct UnknownValue {
    /// The string that was given
    pub given: String,
    /// The names of all variants, separated by commas
    pub known: String,
}

/// Declares an enum with one string for each variant, used in the API and in the database.
macro_rules! string_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $string:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $name {
            /// All variants, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The string for this variant.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $string,)+
                }
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::domain::UnknownValue;

            fn from_str(given: &str) -> Result<Self, Self::Err> {
                match given {
                    $($string => Ok(Self::$variant),)+
                    other => Err($crate::domain::UnknownValue {
                        given: other.to_owned(),
                        known: [$($string),+].join(", "),
                    }),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let given = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                given.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use string_enum;
