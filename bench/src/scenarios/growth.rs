//! The cost of everyday questions against the length of the history. Servers of all lengths run side by side and are
//! asked in turn, so that whatever disturbs one disturbs the others as well.

use std::{path::Path, time::Instant};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    debate::{self, Debate},
    history::{Histories, RARE, RARE_HITS},
    http::Connection,
    peers::{
        Peer,
        contract::Server,
        node,
        ours::{Launch, OnPostgres, OnSqlite},
    },
    record::{Recorder, Unit},
    setup::Setup,
    statistics::{median, microseconds},
};

/// The name among the figures.
pub const NAME: &str = "growth";

/// Debates on a page.
const PAGE: u64 = 50;

/// What is asked.
#[derive(Clone, Copy)]
enum Question {
    Context,
    Submit,
    First,
    ByState,
    Search,
    Deep,
}

impl Question {
    const ALL: [Self; 6] = [Self::Context, Self::Submit, Self::First, Self::ByState, Self::Search, Self::Deep];

    fn name(self) -> &'static str {
        match self {
            Self::Context => "get-context",
            Self::Submit => "submit",
            Self::First => "list, first page",
            Self::ByState => "list by state, first page",
            Self::Search => "search",
            Self::Deep => "list, deepest page",
        }
    }

    /// Where to ask; a submit is no question of that kind.
    fn path(self, long: &str, length: u64) -> Option<String> {
        match self {
            Self::Context => Some(format!("/debates/{long}?limit=10")),
            Self::Submit => None,
            Self::First => Some(format!("/debates?limit={PAGE}")),
            Self::ByState => Some(format!("/debates?state=AWAITING_PROPOSER&limit={PAGE}")),
            Self::Search => Some(format!("/debates?q={RARE}&limit={PAGE}")),
            Self::Deep => Some(format!("/debates?limit={PAGE}&offset={}", length - PAGE)),
        }
    }
}

/// One of the servers that are asked in turn.
struct Asked {
    subject: &'static str,
    length: u64,
    long: Option<Debate>,
    connection: Connection,
    _server: Server,
}

/// What an answer may hold.
#[derive(Deserialize)]
struct Answer {
    arguments: Option<Vec<Value>>,
    debates: Option<Vec<Value>>,
    total: Option<u64>,
}

/// Measures this server on SQLite, and the Node peer's deepest page beside it.
pub async fn on_sqlite(setup: &Setup, histories: &Histories, figures: &mut Recorder<'_>) -> Result<()> {
    let mut asked = Vec::new();
    for history in &histories.ours {
        history.read_through()?;
        let server = Launch::new(setup).on(&history.sqlite).start().await?;
        asked.push(Asked::new(OnSqlite.name(), history.length, server).await?.with_long(&history.long).await?);
    }
    if let (Some(file), Some(longest)) = (&histories.node, histories.ours.last()) {
        asked.push(node_peer(setup, file, longest.length).await?);
    }
    ask_all(setup, asked, figures).await
}

/// Measures this server on PostgreSQL.
pub async fn on_postgres(setup: &Setup, histories: &Histories, figures: &mut Recorder<'_>) -> Result<()> {
    let mut asked = Vec::new();
    for history in &histories.ours {
        let url = history.postgres.as_deref().context("the history is on PostgreSQL, too")?;
        let server = Launch::new(setup).on(url).start().await?;
        asked.push(Asked::new(OnPostgres.name(), history.length, server).await?.with_long(&history.long).await?);
    }
    ask_all(setup, asked, figures).await
}

async fn node_peer(setup: &Setup, file: &Path, length: u64) -> Result<Asked> {
    let server = node::start(setup, file, setup.folder()?).await?;
    Asked::new(node::Node.name(), length, server).await
}

async fn ask_all(setup: &Setup, mut asked: Vec<Asked>, figures: &mut Recorder<'_>) -> Result<()> {
    for question in Question::ALL {
        let mut times = vec![Vec::new(); asked.len()];
        for server in &mut asked {
            server.warm_up(question).await?;
        }
        // Each gets its share of the time, however many there are.
        let end = Instant::now() + setup.form.question * asked.len() as u32;
        while Instant::now() < end {
            for (server, times) in asked.iter_mut().zip(&mut times) {
                let sent = Instant::now();
                if server.ask(question).await? {
                    times.push(sent.elapsed());
                }
            }
        }
        for (server, times) in asked.iter().zip(&times) {
            if let Some(middle) = median(&microseconds(times)) {
                figures.add(server.subject, question.name(), server.length, Unit::Microseconds, middle);
            }
        }
    }
    Ok(())
}

impl Asked {
    async fn new(subject: &'static str, length: u64, server: Server) -> Result<Self> {
        let connection = Connection::open(server.address).await?;
        Ok(Self { subject, length, long: None, connection, _server: server })
    }

    async fn with_long(mut self, id: &str) -> Result<Self> {
        self.long = Some(Debate::find(&mut self.connection, id).await?);
        Ok(self)
    }

    /// Asks a few times, and looks whether the answer is right.
    async fn warm_up(&mut self, question: Question) -> Result<()> {
        for _ in 0..5 {
            self.ask(question).await?;
        }
        let Some(path) = self.path(question) else { return Ok(()) };
        let answer: Answer = debate::data(&self.connection.get(&path).await?)?;
        let arguments = answer.arguments.map(|arguments| arguments.len() as u64);
        let debates = answer.debates.map(|debates| debates.len() as u64);
        let right = match question {
            Question::Context => arguments == Some(10),
            Question::Search => debates == Some(RARE_HITS) && answer.total == Some(RARE_HITS),
            Question::First | Question::ByState | Question::Deep => debates == Some(PAGE),
            Question::Submit => true,
        };
        ensure!(right, "{} of {}: {debates:?} debates, {arguments:?} arguments", question.name(), self.subject);
        Ok(())
    }

    /// Whether this server was to be asked that.
    async fn ask(&mut self, question: Question) -> Result<bool> {
        if let (Question::Submit, Some(debate)) = (question, &mut self.long) {
            debate.claim(&mut self.connection).await?;
            return Ok(true);
        }
        let Some(path) = self.path(question) else { return Ok(false) };
        self.connection.get(&path).await?;
        Ok(true)
    }

    /// A peer that has no long debate is asked only for what it is compared by.
    fn path(&self, question: Question) -> Option<String> {
        match &self.long {
            Some(debate) => question.path(&debate.id, self.length),
            None => matches!(question, Question::Deep).then(|| question.path("", self.length)).flatten(),
        }
    }
}
