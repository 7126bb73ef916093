//! Answers that are waited for.
//!
//! Each of poem's layers keeps a copy of the request until the answer has passed it. Whoever is held is therefore held
//! at the edge, when all of these layers are done: that makes a waiter cost less than half.

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

type Waiting = Pin<Box<dyn Future<Output = Response> + Send>>;

/// An answer of type `T` that may take long. Nothing is done for it before it is waited for.
pub struct Later<T> {
    waiting: Waiting,
    answer: PhantomData<fn() -> T>,
}

impl<T: IntoResponse, E: IntoResponse> Later<Result<T, E>> {
    /// What `answer` comes to.
    pub fn new(answer: impl Future<Output = Result<T, E>> + Send + 'static) -> Self {
        let waiting = async move {
            match answer.await {
                Ok(answer) => answer.into_response(),
                Err(failure) => failure.into_response(),
            }
        };
        Self { waiting: Box::pin(waiting), answer: PhantomData }
    }
}

/// An answer that is still to come, on its way through the layers; these may copy what goes with a response.
#[derive(Clone)]
struct Ticket(Arc<Mutex<Option<Waiting>>>);

impl<T> IntoResponse for Later<T> {
    fn into_response(self) -> Response {
        let mut response = Response::default();
        response.set_data(Ticket(Arc::new(Mutex::new(Some(self.waiting)))));
        response
    }
}

impl<T: ApiResponse> ApiResponse for Later<T> {
    fn meta() -> MetaResponses {
        T::meta()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// The answer itself, once it is there.
pub async fn answer(mut response: Response) -> Response {
    let ticket = response.extensions_mut().remove::<Ticket>();
    match ticket.and_then(|Ticket(ticket)| ticket.lock().unwrap_or_else(PoisonError::into_inner).take()) {
        Some(waiting) => {
            drop(response);
            waiting.await
        }
        None => response,
    }
}
