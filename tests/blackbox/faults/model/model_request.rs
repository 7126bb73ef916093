//! One request, told by what it is about and not yet by its bytes.

use serde_json::Value;
use tests::{client::Client, wire::Request};

/// The token of the agents.
pub const AGENTS: &str = "agents";

/// The token that opens everything.
pub const JUDGE: &str = "judge";

/// What can be asked of a server.
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
    Keep,
    Documents,
    Revise,
    Read,
    History,
    Delete,
}

/// What brings a body.
pub const WRITES: [Verb; 8] = [
    Verb::Create,
    Verb::Submit,
    Verb::Appeal,
    Verb::Resolution,
    Verb::Ruling,
    Verb::Intervention,
    Verb::Keep,
    Verb::Revise,
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
        Self::Keep,
        Self::Documents,
        Self::Revise,
        Self::Read,
        Self::History,
        Self::Delete,
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
            Self::Keep => ("POST", "/documents"),
            Self::Documents => ("GET", "/documents"),
            Self::Revise => ("POST", "/documents/*/versions"),
            Self::Read => ("GET", "/documents/*"),
            Self::History => ("GET", "/documents/*/versions"),
            Self::Delete => ("DELETE", "/documents/*"),
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
pub enum Edge {
    Host,
    Path,
    Method,
    Token,
    Media,
    Right,
}

/// One request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What is asked
    pub verb: Verb,
    /// The debate or the document, in some spelling; empty where the path has none
    pub id: String,
    /// What stands behind the path
    pub query: Vec<(&'static str, String)>,
    /// What is sent; null where nothing is
    pub body: Value,
    /// What is wrong with it besides
    pub edges: Vec<Edge>,
}

impl Asked {
    /// A request without anything wrong.
    pub fn new(verb: Verb) -> Self {
        Self { verb, id: String::new(), query: Vec::new(), body: Value::Null, edges: Vec::new() }
    }

    /// Whether that is wrong with it.
    pub fn has(&self, edge: Edge) -> bool {
        self.edges.contains(&edge)
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
            _ if self.has(Edge::Token) => "nobody's",
            true if !self.has(Edge::Right) => JUDGE,
            true | false => AGENTS,
        };
        let (method, path) = self.verb.route();
        let method = if self.has(Edge::Method) { "PATCH" } else { method };
        let mut path = path.replace('*', &self.id);
        if self.has(Edge::Path) {
            path = format!("/nowhere{path}");
        }
        let query: Vec<String> =
            self.query.iter().map(|(name, value)| format!("{name}={}", percent_encoded(value))).collect();
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        let mut request = client.with_token(token).request(method, &path).header("Connection", &["keep-alive"]);
        if self.verb.has_body() {
            let media = if self.has(Edge::Media) { "text/plain" } else { "application/json" };
            request = request.header("Content-Type", &[media]).body(self.body.to_string());
        }
        if self.has(Edge::Host) { request.header("Host", &["elsewhere.example"]) } else { request }
    }
}

fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
