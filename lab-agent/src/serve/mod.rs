//! The protocol's server: calls in, domain calls, answers out.
// SPDX-License-Identifier: Apache-2.0
mod address;
mod admission;
mod certificates;

use std::sync::Arc;
use std::time::Duration;

use lab_proto::lab_server::{Lab, LabServer};
use lab_proto::{
    DescribeRequest, HostDescription, LiveEvent, LiveInput, MAX_MESSAGE_BYTES, SessionEvent,
    SessionSpec,
};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Server;
use tonic::{Request, Response, Status, Streaming};

use address::Listener;
pub use address::{Address, Door, Listen};
pub use certificates::{Certificates, in_words};

use crate::boot::Host;
use crate::engine::{live, session};
use crate::fault::{Fault, Outcome};

/// Callers on other machines that vanish without a word are given up after twice that.
const STILL_THERE: Duration = Duration::from_secs(20);

/// Serves `host` at a door until `stop`. Prints the address when ready.
pub async fn serve(host: Host, door: Door, stop: impl Future<Output = ()>) -> Outcome<()> {
    let listener = door.open().await?;
    println!("{}", listener.address());
    let service = LabServer::new(Service {
        host: Arc::new(host),
    })
    .max_decoding_message_size(MAX_MESSAGE_BYTES)
    .max_encoding_message_size(MAX_MESSAGE_BYTES);
    let elsewhere = matches!(listener, Listener::Tls(..)).then_some(STILL_THERE);
    let serving = Server::builder()
        .http2_keepalive_interval(elsewhere)
        .add_service(service)
        .serve_with_incoming(listener);
    // Not a graceful end: a session under way would hold it up for minutes,
    // and its caller must run it again anyway.
    tokio::select! {
        served = serving => served.map_err(|error| Fault::Failed(format!("{error} while serving"))),
        () = stop => Ok(()),
    }
}

struct Service {
    host: Arc<Host>,
}

#[tonic::async_trait]
impl Lab for Service {
    type RunSessionStream = ReceiverStream<Result<SessionEvent, Status>>;
    type RunLiveStream = ReceiverStream<Result<LiveEvent, Status>>;

    async fn describe(
        &self,
        _: Request<DescribeRequest>,
    ) -> Result<Response<HostDescription>, Status> {
        Ok(Response::new(self.host.describe()))
    }

    async fn run_session(
        &self,
        request: Request<SessionSpec>,
    ) -> Result<Response<Self::RunSessionStream>, Status> {
        let events = session::events::run(Arc::clone(&self.host), request.into_inner());
        Ok(Response::new(ReceiverStream::new(events)))
    }

    async fn run_live(
        &self,
        request: Request<Streaming<LiveInput>>,
    ) -> Result<Response<Self::RunLiveStream>, Status> {
        let events = live::outside::run(Arc::clone(&self.host), request.into_inner());
        Ok(Response::new(ReceiverStream::new(events.await?)))
    }
}
