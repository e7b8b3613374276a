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

use lab_proto::live_event::Event;
use lab_proto::{DemoOpen, DemoResult, LiveInput};
use tokio_stream::Stream;
use tonic::Status;

use crate::boot::Host;
use crate::engine;
use crate::engine::live::outside::Events;
use outlet::Outlet;
use take::Take;

/// Runs one take on the demos' guest with the least to do. Ends with the inputs'
/// caller, or when nobody takes events any more.
pub fn run(
    host: Arc<Host>,
    open: DemoOpen,
    inputs: impl Stream<Item = Result<LiveInput, Status>> + Send + Unpin + 'static,
) -> Events {
    engine::outlet::run(outlet::WAITING, |events| async move {
        whole(&host, open, inputs, &Outlet::new(events)).await
    })
}

async fn whole(
    host: &Host,
    open: DemoOpen,
    mut inputs: impl Stream<Item = Result<LiveInput, Status>> + Send + Unpin,
    outlet: &Outlet,
) -> Result<(), Status> {
    let pool = host.demos()?;
    check::open(&open, host.description())?;
    let guest = pool.least_busy().await?;
    let _use = guest.engage();
    let mut take = Take::open(host.description(), &guest, open, outlet).await?;
    let left = take.go_on(&mut inputs).await?;
    let (rest, ready_ns, end_ns, reason) = take.finish(left).await?;
    outlet.last(0, Event::Moment(rest.moment)).await?;
    for (lane, chunk) in rest.files {
        outlet.last(lane, Event::File(chunk)).await?;
    }
    let result = DemoResult {
        lanes: rest.lanes,
        held_up: Some(rest.held_up),
        ready_ns,
        end_ns,
        reason,
    };
    Ok(outlet.last(0, Event::Demo(result)).await?)
}
