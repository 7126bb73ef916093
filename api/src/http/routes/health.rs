//! `GET /health`

use std::sync::Arc;

use poem_openapi::OpenApi;

use crate::{
    app::App,
    http::contract::{Answer, Failure, Found, HealthData},
};

pub struct Health {
    app: Arc<App>,
}

impl Health {
    pub fn new(app: Arc<App>) -> Self {
        Self { app }
    }
}

#[OpenApi]
impl Health {
    /// Whether the server is well
    ///
    /// 200 only when the store answers. Needs no token.
    #[oai(path = "/health", method = "get", operation_id = "health")]
    async fn health(&self) -> Result<Found<HealthData>, Failure> {
        self.app.health().await?;
        Ok(Found::Found(Answer(HealthData { status: "ok".to_owned() })))
    }
}
