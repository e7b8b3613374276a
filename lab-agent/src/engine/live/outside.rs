//! The machine's part of a live run: what the caller asks for first.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use lab_proto::live_input::Input;
use lab_proto::{LiveEvent, LiveInput};
use tokio::sync::mpsc::Receiver;
use tokio_stream::{Stream, StreamExt};
use tonic::Status;

use crate::boot::Host;
use crate::engine::{demo, terminal};
use crate::fault::Fault;

/// What goes to the caller.
pub type Events = Receiver<Result<LiveEvent, Status>>;

/// Runs what the first message asks for on the guest with the least to do. Ends
/// with the inputs' caller, or when nobody takes events any more.
pub async fn run(
    host: Arc<Host>,
    mut inputs: impl Stream<Item = Result<LiveInput, Status>> + Send + Unpin + 'static,
) -> Result<Events, Status> {
    match inputs.next().await.transpose()?.and_then(|one| one.input) {
        Some(Input::Terminal(open)) => Ok(terminal::outside::run(host, open, inputs)),
        Some(Input::Demo(open)) => Ok(demo::outside::run(host, open, inputs)),
        _ => Err(Fault::Invalid("the first message has to be `terminal` or `demo`".into()).into()),
    }
}

/// Says of an input that a run is not told such a thing.
pub fn misplaced(input: &Input) -> Fault {
    Fault::Invalid(match input {
        Input::Terminal(_) => "`terminal` is the first message, and only it".into(),
        Input::Demo(_) => "`demo` is the first message, and only it".into(),
        _ => "a terminal takes `keys` and `finish`: open a demo for all else".into(),
    })
}
