//! Several servers on one database, as one.

mod campaign;
mod copies;
mod faults;
mod linear;
mod ping_pong;
mod refusals;
mod starts;
mod unavailable;
mod wakeups;

use tests::server::{Server, Settings};

/// So many servers on one empty database.
async fn several(count: usize) -> Vec<Server> {
    let mut servers = vec![Server::start().await];
    while servers.len() < count {
        servers.push(Server::beside(Settings::new(), servers[0].store()).await);
    }
    servers
}
