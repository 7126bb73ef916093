//! Several servers on one PostgreSQL database.

mod alternating_servers;
mod copy_command;
mod database_outages;
mod faults;
mod issues;
mod linearizability;
mod presence;
mod refused_databases;
mod schemas;
mod seats;
mod session_settings;
mod start_and_stop;
mod wakeups;
mod webhooks;
mod workload;

use tests::server::{Server, Settings};

/// Starts this many servers on one empty database.
async fn several(count: usize) -> Vec<Server> {
    let mut servers = vec![Server::start().await];
    while servers.len() < count {
        servers.push(Server::on_store(Settings::new(), servers[0].store()).await);
    }
    servers
}
