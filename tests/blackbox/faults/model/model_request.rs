//! One request, told by what it is about and not yet by its bytes.

use serde_json::Value;
use tests::{client::Client, raw_http::Request};

/// The token of the agents.
pub const AGENTS: &str = "agents";

/// The token that opens everything.
pub const ARBITRATOR: &str = "judge";

/// What can be request of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    Create,
    List,
    Context,
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

/// What brings a body.
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

/// The writes of a debate.
pub const ARGUMENTS: [Verb; 5] = [Verb::Submit, Verb::Appeal, Verb::Resolution, Verb::Ruling, Verb::Intervention];

impl Verb {
    /// All there are.
    pub const ALL: [Self; 15] = [
        Self::Create,
        Self::List,
        Self::Context,
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

    /// Method and path, with `*` where the id stands.
    fn route(self) -> (&'static str, &'static str) {
        match self {
            Self::Create => ("POST", "/debates"),
            Self::List => ("GET", "/debates"),
            Self::Context => ("GET", "/debates/*"),
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

    /// Whether it brings a body.
    pub fn has_body(self) -> bool {
        self.route().0 == "POST"
    }

    /// Whether its path names a debate or a document.
    pub fn has_id(self) -> bool {
        self.route().1.contains('*')
    }

    /// Whether it is about one debate.
    pub fn is_of_a_debate(self) -> bool {
        self.route().1.starts_with("/debates/")
    }

    /// Whether only the arbitrator may ask for it.
    pub fn is_the_arbitrators(self) -> bool {
        matches!(self, Self::Ruling | Self::Intervention)
    }
}

/// What is wrong with a request whatever it asks for, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonFault {
    Host,
    Path,
    Method,
    Token,
    Media,
    Right,
}

/// One request.
#[derive(Clone, Debug)]
pub struct ModelRequest {
    /// What is request
    pub verb: Verb,
    /// The debate or the document, in some spelling; empty where the path has none
    pub id: String,
    /// What stands behind the path
    pub query: Vec<(&'static str, String)>,
    /// What is sent; null where nothing is
    pub body: Value,
    /// What is wrong with it besides
    pub common_faults: Vec<CommonFault>,
}

impl ModelRequest {
    /// A request without anything wrong.
    pub fn new(verb: Verb) -> Self {
        Self { verb, id: String::new(), query: Vec::new(), body: Value::Null, common_faults: Vec::new() }
    }

    /// Whether that is wrong with it.
    pub fn has(&self, fault: CommonFault) -> bool {
        self.common_faults.contains(&fault)
    }

    /// What the query gives that parameter.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_str())
    }

    /// What a field of the body says; an absent one is null.
    pub fn field(&self, name: &str) -> &Value {
        self.body.get(name).unwrap_or(&Value::Null)
    }

    /// The request as it goes over the wire, on a connection that is kept.
    pub fn request(&self, client: &Client) -> Request {
        let token = match self.verb.is_the_arbitrators() {
            _ if self.has(CommonFault::Token) => "nobody's",
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
        let mut request = client.with_token(token).request(method, &path).header("Connection", &["keep-alive"]);
        if self.verb.has_body() {
            let media = if self.has(CommonFault::Media) { "text/plain" } else { "application/json" };
            request = request.header("Content-Type", &[media]).body(self.body.to_string());
        }
        if self.has(CommonFault::Host) { request.header("Host", &["elsewhere.example"]) } else { request }
    }
}

fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
