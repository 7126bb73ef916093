//! `GET /health`

use std::sync::Arc;

use poem_openapi::OpenApi;

use super::{ReadResult, ok};
use crate::{app::App, http::contract::Health};

pub struct HealthRoute {
    pub app: Arc<App>,
}

#[OpenApi]
impl HealthRoute {
    /// Check the health of the server
    ///
    /// 200 if the store answers and what was last to be stored was stored, otherwise 503 with `STORE_UNAVAILABLE`, which tells
    /// `reading` and `writing` apart. While writing fails, each check tries it again. Requires no token.
    #[oai(path = "/health", method = "get", operation_id = "health")]
    async fn health(&self) -> ReadResult<Health> {
        self.app.health().await?;
        ok(Health::ok())
    }
}
