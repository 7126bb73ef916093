//! A story as one server tells it, held against the contract step by step.

use serde_json::Value;
use tests::{answer::Answer, client::Client, wire};
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    time::{Duration, timeout},
};

use super::{
    contract::{Contract, Made, Mistake},
    moves::Step,
    reply::{compare, outcome},
    request::Asked,
    scene::{Names, Scene},
    tally::Tally,
};
use crate::shape;

/// Longer than any answer takes here, as nobody waits.
const ANSWERED: Duration = Duration::from_secs(30);

/// Refusals that may come before the body was taken, after which a connection is of no more use.
const EARLY: [&str; 7] = [
    "AUTH_FAILED",
    "CONTENT_TOO_LARGE",
    "FORBIDDEN",
    "INVALID_INPUT",
    "METHOD_NOT_ALLOWED",
    "NOT_FOUND",
    "UNSUPPORTED_MEDIA_TYPE",
];

/// One server, and how far it is in a story.
pub struct Teller {
    client: Client,
    connection: Option<TcpStream>,
    /// What there should be by now
    pub scene: Scene,
    /// The ids that the server made up, in order
    ids: Vec<String>,
    /// What was seen on the way
    pub tally: Tally,
}

impl Teller {
    /// One at the beginning of a story, held against a contract with that mistake.
    pub fn new(client: Client, names: Names, mistake: Option<Mistake>) -> Self {
        let scene = Scene::new(names, Contract::new(mistake));
        Self { client, connection: None, scene, ids: Vec::new(), tally: Tally::default() }
    }

    /// Tells the next step, and gives what it says in words of its own, if it refuses.
    ///
    /// # Errors
    /// Where it is not told as the contract has it.
    pub async fn tell(&mut self, step: &Step) -> Result<String, String> {
        let asked = self.scene.ask(step);
        let answer = self.ask(&asked).await?;
        self.scene.remember(asked, outcome(&answer) == "stored");
        Ok(self.words(&answer.envelope()["error"]))
    }

    /// Tells once more all that is stored.
    ///
    /// # Errors
    /// Where it is not what the contract has.
    pub async fn sweep(&mut self) -> Result<(), String> {
        for asked in self.scene.sweep() {
            self.ask(&asked).await?;
        }
        Ok(())
    }

    async fn ask(&mut self, asked: &Asked) -> Result<Answer, String> {
        let answer = timeout(ANSWERED, self.send(asked)).await.map_err(|_| format!("no answer to {asked:?}"))?;
        let answer = answer.map_err(|error| format!("{error}: {asked:?}"))?;
        let made = Made::of(answer.envelope());
        self.tally.asked(&self.scene.contract, asked, &answer);
        compare(&self.scene.contract.answer(asked, &made), &answer)?;
        if outcome(&answer) == "stored" {
            shape::is_id(&made.id.as_str().into());
            shape::is_time(&made.at.as_str().into());
            let is_version = answer.envelope()["data"]["version"]["version"].as_u64() > Some(1);
            if !is_version && self.ids.contains(&made.id) {
                return Err(format!("an id for the second time: {answer}"));
            }
            self.ids.push(made.id);
        }
        Ok(answer)
    }

    async fn send(&mut self, asked: &Asked) -> std::io::Result<Answer> {
        let request = asked.request(&self.client);
        let mut stream = match self.connection.take() {
            Some(stream) => stream,
            None => wire::open(self.client.address()).await?,
        };
        stream.write_all(&request.bytes()).await?;
        let response = wire::read_response(&mut stream).await?;
        let body = String::from_utf8_lossy(&request.body);
        let answer = Answer::of(format!("{} {} {body}", request.method, request.path), &response);
        self.connection = Some(stream).filter(|_| !EARLY.contains(&answer.code()));
        Ok(answer)
    }

    /// An error as another server would tell it, whose ids are others; they may be told in the spelling of the request.
    fn words(&self, error: &Value) -> String {
        let text = error.to_string().to_lowercase();
        if error.is_null() {
            return text;
        }
        let number = |text: String, (n, id): (usize, &String)| {
            let number = format!("id {n}");
            text.replace(id, &number).replace(&id.replace('-', ""), &number)
        };
        self.ids.iter().enumerate().fold(text, number)
    }
}
