//! A request in terms of the API, before it is encoded.

use serde_json::Value;
use tests::{
    client::Client,
    raw_http::{Request, percent_encoded},
};

/// The agents' token.
pub const AGENTS: &str = "agents";

/// The arbitrator's token.
pub const ARBITRATOR: &str = "judge";

/// An endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    Create,
    List,
    Search,
    Context,
    Issues,
    Submit,
    Appeal,
    Resolution,
    Ruling,
    Intervention,
    Wait,
    DocumentCreate,
    DocumentList,
    DocumentSubmit,
    DocumentGet,
    DocumentHistory,
    DocumentDelete,
}

/// The endpoints that take a body.
pub const WRITES: [Verb; 8] = [
    Verb::Create,
    Verb::Submit,
    Verb::Appeal,
    Verb::Resolution,
    Verb::Ruling,
    Verb::Intervention,
    Verb::DocumentCreate,
    Verb::DocumentSubmit,
];

/// The endpoints that write an argument.
pub const ARGUMENTS: [Verb; 5] = [Verb::Submit, Verb::Appeal, Verb::Resolution, Verb::Ruling, Verb::Intervention];

impl Verb {
    /// All endpoints.
    pub const ALL: [Self; 17] = [
        Self::Create,
        Self::List,
        Self::Search,
        Self::Context,
        Self::Issues,
        Self::Submit,
        Self::Appeal,
        Self::Resolution,
        Self::Ruling,
        Self::Intervention,
        Self::Wait,
        Self::DocumentCreate,
        Self::DocumentList,
        Self::DocumentSubmit,
        Self::DocumentGet,
        Self::DocumentHistory,
        Self::DocumentDelete,
    ];

    /// The method and path, with `*` for the id.
    fn route(self) -> (&'static str, &'static str) {
        match self {
            Self::Create => ("POST", "/debates"),
            Self::List => ("GET", "/debates"),
            Self::Search => ("GET", "/search"),
            Self::Context => ("GET", "/debates/*"),
            Self::Issues => ("GET", "/debates/*/issues"),
            Self::Submit => ("POST", "/debates/*/arguments"),
            Self::Appeal => ("POST", "/debates/*/appeal"),
            Self::Resolution => ("POST", "/debates/*/resolution"),
            Self::Ruling => ("POST", "/debates/*/ruling"),
            Self::Intervention => ("POST", "/debates/*/intervention"),
            Self::Wait => ("GET", "/debates/*/wait"),
            Self::DocumentCreate => ("POST", "/documents"),
            Self::DocumentList => ("GET", "/documents"),
            Self::DocumentSubmit => ("POST", "/documents/*/versions"),
            Self::DocumentGet => ("GET", "/documents/*"),
            Self::DocumentHistory => ("GET", "/documents/*/versions"),
            Self::DocumentDelete => ("DELETE", "/documents/*"),
        }
    }

    /// Whether the endpoint takes a body.
    pub fn has_body(self) -> bool {
        self.route().0 == "POST"
    }

    /// Whether the path has an id.
    pub fn has_id(self) -> bool {
        self.route().1.contains('*')
    }

    /// Whether the endpoint belongs to one debate.
    pub fn is_of_a_debate(self) -> bool {
        self.route().1.starts_with("/debates/")
    }

    /// Whether only the arbitrator may use the endpoint.
    pub fn is_the_arbitrators(self) -> bool {
        matches!(self, Self::Ruling | Self::Intervention)
    }
}

/// A fault that any request can have, in the order in which faults are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonFault {
    Host,
    Path,
    Method,
    Token,
    Media,
    Right,
}

/// A request.
#[derive(Clone, Debug)]
pub struct ModelRequest {
    /// The endpoint
    pub verb: Verb,
    /// The id of the debate or document; empty if the path has none
    pub id: String,
    /// The query parameters
    pub query: Vec<(&'static str, String)>,
    /// The body; null if there is none
    pub body: Value,
    /// The faults of the request
    pub common_faults: Vec<CommonFault>,
}

impl ModelRequest {
    /// A request without query, body and faults.
    pub fn new(verb: Verb) -> Self {
        Self { verb, id: String::new(), query: Vec::new(), body: Value::Null, common_faults: Vec::new() }
    }

    /// Whether the request has this fault.
    pub fn has(&self, fault: CommonFault) -> bool {
        self.common_faults.contains(&fault)
    }

    /// The value of a query parameter.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_str())
    }

    /// The value of a field; null if it is absent.
    pub fn field(&self, name: &str) -> &Value {
        self.body.get(name).unwrap_or(&Value::Null)
    }

    /// The encoded request, on a connection that is kept alive.
    pub fn request(&self, client: &Client) -> Request {
        let token = match self.verb.is_the_arbitrators() {
            true if !self.has(CommonFault::Right) => ARBITRATOR,
            true | false => AGENTS,
        };
        let (method, path) = self.verb.route();
        let method = if self.has(CommonFault::Method) { "PATCH" } else { method };
        let mut path = path.replace('*', &self.id);
        if self.has(CommonFault::Path) {
            path = format!("/nowhere{path}");
        }
        let query: Vec<String> =
            self.query.iter().map(|(name, value)| format!("{name}={}", percent_encoded(value))).collect();
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        // A wrong token would be answered late, one after another.
        let client = if self.has(CommonFault::Token) { client.clone() } else { client.with_token(token) };
        let mut request = client.request(method, &path).header("Connection", &["keep-alive"]);
        if self.verb.has_body() {
            let media = if self.has(CommonFault::Media) { "text/plain" } else { "application/json" };
            request = request.header("Content-Type", &[media]).body(self.body.to_string());
        }
        if self.has(CommonFault::Host) { request.header("Host", &["elsewhere.example"]) } else { request }
    }
}
