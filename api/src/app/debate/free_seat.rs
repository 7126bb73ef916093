//! `debate_free_seat`: lets another key take a seat.

use crate::{
    app::{App, Arbitrator, CorrelationId, Error, audit},
    domain::Debate,
    store::{FreeSeat, SeatFreed},
};

impl App {
    /// Frees a seat whose key was lost. Freeing it again changes nothing.
    pub async fn debate_free_seat(
        &self,
        _: Arbitrator,
        seat: FreeSeat,
        request: &CorrelationId,
    ) -> Result<Debate, Error> {
        let (store, logged) = (self.store.clone(), request.clone());
        self.audited(request, async move {
            let SeatFreed { debate, was_taken } = store.free_seat(seat).await?;
            if was_taken {
                audit::seat_freed(seat, &logged);
            }
            Ok(debate)
        })
        .await
    }
}
