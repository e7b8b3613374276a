//! The machine's part of a take: makes the messages, plays out what arrives,
//! and works out what the packets say while they pass.
//!
//! ```text
//! source ─ writes ─▶ guest ─┬ reads ────▶ sound    ─▶ what is heard
//!                           └ packets, … ▶ analyst ─▶ moments, figures, files
//! ```
// SPDX-License-Identifier: Apache-2.0
mod analyst;
mod check;
mod echoes;
mod growing_file;
pub mod in_step;
mod lane_view;
mod outlet;
pub mod sound;
mod take;
mod take_clock;
mod way;

use std::sync::Arc;

use lab_proto::demo_event::Event;
use lab_proto::demo_input::Input;
use lab_proto::{DemoInput, DemoResult};
use tokio_stream::Stream;
use tonic::Status;

use crate::boot::Host;
use crate::engine;
pub use outlet::Events;
use outlet::Outlet;
use take::Take;

/// Runs one take on the demos' guest with the least to do. Ends with the inputs'
/// caller, or when nobody takes events any more.
pub fn run(
    host: Arc<Host>,
    inputs: impl Stream<Item = Result<DemoInput, Status>> + Send + Unpin + 'static,
) -> Events {
    engine::outlet::run(outlet::WAITING, |events| async move {
        whole(&host, inputs, &Outlet::new(events)).await
    })
}

async fn whole(
    host: &Host,
    mut inputs: impl Stream<Item = Result<DemoInput, Status>> + Send + Unpin,
    outlet: &Outlet,
) -> Result<(), Status> {
    let pool = host.demos()?;
    let open = engine::outlet::first(&mut inputs, "open", |input| match input.input {
        Some(Input::Open(open)) => Some(open),
        _ => None,
    })
    .await?;
    check::open(&open, host.description())?;
    let guest = pool.least_busy().await?;
    let _use = guest.engage();
    let mut take = Take::open(host.description(), &guest, open, outlet).await?;
    let left = take.go_on(&mut inputs).await?;
    let (rest, ready_ns, end_ns, reason) = take.finish(left).await?;
    outlet.last(Event::Moment(rest.moment)).await?;
    for chunk in rest.files {
        outlet.last(Event::File(chunk)).await?;
    }
    let result = DemoResult {
        lanes: rest.lanes,
        held_up: Some(rest.held_up),
        ready_ns,
        end_ns,
        reason,
    };
    Ok(outlet.last(Event::Result(result)).await?)
}
