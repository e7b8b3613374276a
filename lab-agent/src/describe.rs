//! The command `lab-agent describe`: asks a running agent what it is. Also a
//! health check: it succeeds when the agent answers. Without an agent to ask, it
//! says what the kernel can do that it runs on.
// SPDX-License-Identifier: Apache-2.0
use clap::Args;
use hyper_util::rt::TokioIo;
use lab_proto::lab_client::LabClient;
use lab_proto::{Clock, DescribeRequest, HostDescription};
use tokio::net::{TcpStream, UnixStream};
use tonic::transport::{Channel, Endpoint, Error};

use crate::fault::{Fault, Outcome};
use crate::guest::job::describe;
use crate::serve::Address;

/// Asks a running agent what its host is, and prints it as JSON.
#[derive(Args)]
pub struct Describe {
    /// Where it listens: 127.0.0.1:PORT or unix:PATH [default: ask no agent, describe this
    /// machine's own kernel].
    #[arg(long)]
    connect: Option<Address>,
}

impl Describe {
    /// Asks and prints.
    pub async fn run(self) -> Outcome<()> {
        let host = match self.connect {
            Some(address) => ask(address).await?,
            None => HostDescription {
                clock: Clock::RealTime as i32,
                ..describe()
            },
        };
        let text = serde_json::to_string_pretty(&host)
            .map_err(|error| Fault::Failed(error.to_string()))?;
        println!("{text}");
        Ok(())
    }
}

async fn ask(address: Address) -> Outcome<HostDescription> {
    let channel = connect(address.clone()).await.map_err(|error| {
        Fault::Failed(format!(
            "no agent answers at {address:?} ({error}): start one with `lab-agent boot`"
        ))
    })?;
    let answer = LabClient::new(channel).describe(DescribeRequest {}).await;
    answer
        .map(tonic::Response::into_inner)
        .map_err(|status| Fault::Failed(status.message().to_owned()))
}

async fn connect(address: Address) -> Result<Channel, Error> {
    let endpoint = Endpoint::from_static("http://localhost");
    match address {
        Address::Tcp(address) => {
            let connector = tower::service_fn(move |_| async move {
                TcpStream::connect(address).await.map(TokioIo::new)
            });
            endpoint.connect_with_connector(connector).await
        }
        Address::Unix(path) => {
            let connector = tower::service_fn(move |_| {
                let path = path.clone();
                async move { UnixStream::connect(path).await.map(TokioIo::new) }
            });
            endpoint.connect_with_connector(connector).await
        }
    }
}
