//! Responses that are computed after poem has finished with the request.
//!
//! Each of poem's layers keeps a copy of the request until the response has passed through it. A long poll therefore waits in
//! the outermost endpoint, where these copies are gone. This halves the memory of a waiting request.

use std::{
    marker::PhantomData,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse,
    registry::{MetaResponses, Registry},
};

use super::{contract::ErrorResponse, large_bodies::Held};

type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A response of type `T` that may take long. It is not polled before [`finish`].
pub struct LongPoll<T> {
    future: ResponseFuture,
    response: PhantomData<fn() -> T>,
}

impl<T: IntoResponse, E: IntoResponse> LongPoll<Result<T, E>> {
    /// The response that `future` returns.
    pub fn new(future: impl Future<Output = Result<T, E>> + Send + 'static) -> Self {
        Self::with_response(async move {
            match future.await {
                Ok(response) => response.into_response(),
                Err(error) => error.into_response(),
            }
        })
    }
}

impl<T: IntoResponse> LongPoll<Result<T, ErrorResponse>> {
    /// The response that `future` returns with its room.
    pub fn holding(future: impl Future<Output = Result<(T, Held), ErrorResponse>> + Send + 'static) -> Self {
        Self::with_response(async move {
            match future.await {
                Ok((response, held)) => held.carried_by(response.into_response()),
                Err(error) => error.into_response(),
            }
        })
    }
}

impl<T> LongPoll<T> {
    /// The response that `future` returns, which is one of type `T`, or none where the connection has to be closed.
    pub fn with_response(future: impl Future<Output = Response> + Send + 'static) -> Self {
        Self { future: Box::pin(future), response: PhantomData }
    }
}

/// Carries the future through poem's layers, as an extension of an empty response. Extensions must be `Clone`.
#[derive(Clone)]
struct Pending(Arc<Mutex<Option<ResponseFuture>>>);

impl<T> IntoResponse for LongPoll<T> {
    fn into_response(self) -> Response {
        let mut response = Response::default();
        response.set_data(Pending(Arc::new(Mutex::new(Some(self.future)))));
        response
    }
}

impl<T: ApiResponse> ApiResponse for LongPoll<T> {
    fn meta() -> MetaResponses {
        T::meta()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// Waits for the response of a [`LongPoll`]; other responses are returned at once.
pub async fn finish(mut response: Response) -> Response {
    let pending = response.extensions_mut().remove::<Pending>();
    match pending.and_then(|Pending(future)| future.lock().unwrap_or_else(PoisonError::into_inner).take()) {
        Some(future) => {
            drop(response);
            future.await
        }
        None => response,
    }
}
