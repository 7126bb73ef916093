//! The only code that knows poem: contract types, endpoints, guards, and the one place that turns errors into answers.

mod caller;
mod contract;
mod failure;
mod guard;
mod input;
mod live;
mod param;
mod parse;
mod routes;
mod serve;
mod site;

use std::sync::Arc;

use poem::{Endpoint, EndpointExt, Response, get, handler, http::header::CONTENT_TYPE, middleware::AddData, web::Data};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use caller::Tokens;
pub use guard::AllowedHosts;
pub use routes::openapi;
pub use serve::serve;

use crate::app::App;
use caller::Caller;
use live::Live;

/// The whole of what the server answers.
///
/// Live connections end when `stopping` is cancelled; until they have, they count as `open`.
pub fn endpoint(
    app: Arc<App>,
    tokens: Tokens,
    hosts: AllowedHosts,
    stopping: CancellationToken,
    open: TaskTracker,
) -> impl Endpoint<Output = Response> {
    let limits = *app.limits();
    site::routes()
        .at("/openapi.json", get(contract_file))
        .at("/ws", get(live::live))
        .nest_no_strip("/debates", routes::debates(app.clone()))
        .nest_no_strip("/health", routes::health(app.clone()))
        .with(AddData::new(Live::new(app, stopping, open)))
        .with(AddData::new(Arc::new(tokens)))
        .with(AddData::new(limits))
        .with(AddData::new(Arc::new(ContractFile(openapi().into()))))
        .around(move |endpoint, request| {
            let admitted = hosts.check(&request);
            async move {
                admitted?;
                endpoint.call(request).await
            }
        })
        .catch_all_error(failure::from_poem)
        .map_to_response()
}

/// `openapi.json`, built once.
struct ContractFile(bytes::Bytes);

#[handler]
fn contract_file(_caller: Caller, Data(file): Data<&Arc<ContractFile>>) -> Response {
    Response::builder().header(CONTENT_TYPE, "application/json").body(file.0.clone())
}
