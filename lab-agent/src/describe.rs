//! The command `lab-agent describe`: asks a running agent what it is. Also a
//! health check: it succeeds when the agent answers.
// SPDX-License-Identifier: Apache-2.0
use clap::Args;
use hyper_util::rt::TokioIo;
use lab_proto::lab_client::LabClient;
use lab_proto::{DescribeRequest, HostDescription};
use tokio::net::{TcpStream, UnixStream};
use tonic::transport::{Channel, Endpoint, Error};

use crate::fault::{Fault, Outcome};
use crate::serve::Address;

/// Asks a running agent what its host is, and prints it as JSON.
#[derive(Args)]
pub struct Describe {
    /// Where it listens: 127.0.0.1:PORT or unix:PATH.
    #[arg(long)]
    connect: Address,
}

impl Describe {
    /// Asks and prints.
    pub async fn run(self) -> Outcome<()> {
        let channel = connect(self.connect.clone()).await.map_err(|error| {
            Fault::Failed(format!(
                "no agent answers at {:?} ({error}): start one with `lab-agent boot`",
                self.connect
            ))
        })?;
        let host: HostDescription = LabClient::new(channel)
            .describe(DescribeRequest {})
            .await
            .map_err(|status| Fault::Failed(status.message().to_owned()))?
            .into_inner();
        let text = serde_json::to_string_pretty(&host)
            .map_err(|error| Fault::Failed(error.to_string()))?;
        println!("{text}");
        Ok(())
    }
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
