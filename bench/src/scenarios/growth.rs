//! The latency of requests against the length of the history. Servers of all lengths and builds run side by side and are asked
//! in turn, so that a disturbance of the machine affects all of them.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    debate::{self, Debate},
    environment::Environment,
    history::{Histories, SEARCH_HITS, SEARCHED},
    http_client::Connection,
    results::{Recorder, Unit},
    statistics::{median, microseconds},
    subjects::{
        Subject,
        aweave::{ALL, Launch, Store},
        debate_server::DebateServer,
        node,
    },
};

/// Debates on a page.
const PAGE: u64 = 50;

#[derive(Clone, Copy)]
enum Request {
    GetContext,
    Submit,
    FirstPage,
    FirstPageByState,
    Search,
    DeepestPage,
}

impl Request {
    const ALL: [Self; 6] =
        [Self::GetContext, Self::Submit, Self::FirstPage, Self::FirstPageByState, Self::Search, Self::DeepestPage];

    fn name(self) -> &'static str {
        match self {
            Self::GetContext => "get-context",
            Self::Submit => "submit",
            Self::FirstPage => "list, first page",
            Self::FirstPageByState => "list by state, first page",
            Self::Search => "search",
            Self::DeepestPage => "list, deepest page",
        }
    }

    /// The path of a GET request.
    fn path(self, long_debate: &str, length: u64) -> Option<String> {
        match self {
            Self::GetContext => Some(format!("/debates/{long_debate}?limit=10")),
            Self::Submit => None,
            Self::FirstPage => Some(format!("/debates?limit={PAGE}")),
            Self::FirstPageByState => Some(format!("/debates?state=AWAITING_PROPOSER&limit={PAGE}")),
            Self::Search => Some(format!("/debates?q={SEARCHED}&limit={PAGE}")),
            Self::DeepestPage => Some(format!("/debates?limit={PAGE}&offset={}", length - PAGE)),
        }
    }
}

/// A running server and its client.
struct Client {
    subject: &'static str,
    length: u64,
    /// `None` for the Node peer, which is only asked for its deepest page
    long_debate: Option<Debate>,
    connection: Connection,
    _server: DebateServer,
}

/// The fields of responses that are checked.
#[derive(Deserialize)]
struct ResponseData {
    arguments: Option<Vec<Value>>,
    debates: Option<Vec<Value>>,
    total: Option<u64>,
}

/// Measures every build on a store, and on SQLite the Node peer's deepest page.
pub async fn measure(
    environment: &Environment,
    store: Store,
    histories: &Histories,
    recorder: &mut Recorder,
) -> Result<()> {
    let mut clients = Vec::new();
    for history in &histories.aweave {
        for aweave in ALL.into_iter().filter(|aweave| aweave.store == store) {
            let Some(url) = history.url(aweave) else { continue };
            history.read_into_page_cache(aweave)?;
            let server = Launch::new(environment, aweave).database_url(url).start().await?;
            let mut client = Client::new(aweave.name(), history.length, server).await?;
            client.long_debate = Some(Debate::find(&mut client.connection, &history.long_debate).await?);
            clients.push(client);
        }
    }
    if let (Store::Sqlite, Some(file), Some(longest)) = (store, &histories.node, histories.aweave.last()) {
        let server = node::start(environment, file, environment.temporary_folder()?).await?;
        clients.push(Client::new(node::NAME, longest.length, server).await?);
    }
    for request in Request::ALL {
        for (client, times) in ask_in_turn(environment.form.request, &mut clients, request).await? {
            if let Some(value) = median(&microseconds(&times)) {
                recorder.add(client.subject, request.name(), client.length, Unit::Microseconds, value);
            }
        }
    }
    Ok(())
}

/// Sends the request by each client in turn, until there was `duration` for each.
async fn ask_in_turn(
    duration: Duration,
    clients: &mut [Client],
    request: Request,
) -> Result<Vec<(&Client, Vec<Duration>)>> {
    for client in clients.iter_mut() {
        client.warm_up(request).await?;
    }
    let mut times = vec![Vec::new(); clients.len()];
    let end = Instant::now() + duration * clients.len() as u32;
    while Instant::now() < end {
        for (client, times) in clients.iter_mut().zip(&mut times) {
            let sent = Instant::now();
            if client.send(request).await? {
                times.push(sent.elapsed());
            }
        }
    }
    Ok(clients.iter().zip(times).collect())
}

impl Client {
    async fn new(subject: &'static str, length: u64, server: DebateServer) -> Result<Self> {
        let connection = Connection::open(server.address).await?;
        Ok(Self { subject, length, long_debate: None, connection, _server: server })
    }

    /// Sends the request a few times and checks the response.
    async fn warm_up(&mut self, request: Request) -> Result<()> {
        for _ in 0..5 {
            self.send(request).await?;
        }
        let Some(path) = self.path(request) else { return Ok(()) };
        let data: ResponseData = debate::data(&self.connection.get(&path).await?)?;
        let arguments = data.arguments.map(|arguments| arguments.len() as u64);
        let debates = data.debates.map(|debates| debates.len() as u64);
        let correct = match request {
            Request::GetContext => arguments == Some(10),
            Request::Search => debates == Some(SEARCH_HITS) && data.total == Some(SEARCH_HITS),
            Request::FirstPage | Request::FirstPageByState | Request::DeepestPage => debates == Some(PAGE),
            Request::Submit => true,
        };
        ensure!(correct, "{} of {}: {debates:?} debates, {arguments:?} arguments", request.name(), self.subject);
        Ok(())
    }

    /// Sends the request and returns true, or returns false if this server is not asked for it.
    async fn send(&mut self, request: Request) -> Result<bool> {
        if matches!(request, Request::Submit) {
            let Some(debate) = &mut self.long_debate else { return Ok(false) };
            debate.submit(&mut self.connection).await?;
            return Ok(true);
        }
        let Some(path) = self.path(request) else { return Ok(false) };
        self.connection.get(&path).await.with_context(|| format!("{} of {}", request.name(), self.subject))?;
        Ok(true)
    }

    fn path(&self, request: Request) -> Option<String> {
        match &self.long_debate {
            Some(debate) => request.path(&debate.id, self.length),
            None => matches!(request, Request::DeepestPage).then(|| request.path("", self.length)).flatten(),
        }
    }
}
