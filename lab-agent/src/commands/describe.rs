//! The command `lab-agent describe`: asks a running agent what it is. Also a
//! health check: it succeeds when the agent answers. Without an agent to ask, it
//! says what the kernel can do that it runs on.
// SPDX-License-Identifier: Apache-2.0
use clap::Args;
use hyper_util::rt::TokioIo;
use lab_proto::lab_client::LabClient;
use lab_proto::{Clock, DescribeRequest, HostDescription};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;
use tonic::transport::{Channel, Endpoint, Error};

use crate::fault::{Fault, Outcome};
use crate::guest::job::describe;
use crate::serve::{Address, Certificates, in_words};

/// Asks a running agent what its host is, and prints it as JSON.
#[derive(Args)]
pub struct Describe {
    /// Where it listens: unix:PATH, 127.0.0.1:PORT or tls://NAME:PORT [default: ask no agent,
    /// describe this machine's own kernel].
    #[arg(long, value_name = "ADDRESS")]
    connect: Option<Address>,
    #[command(flatten)]
    certificates: Certificates,
}

impl Describe {
    /// Asks and prints.
    pub async fn run(self) -> Outcome<()> {
        let host = match &self.connect {
            Some(address) => ask(address, &self.certificates).await?,
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

async fn ask(address: &Address, certificates: &Certificates) -> Outcome<HostDescription> {
    let away = |reason: String| {
        Fault::Failed(format!(
            "no agent answers at {address} ({reason}): start one with `lab-agent boot`"
        ))
    };
    let channel = match address {
        Address::Tls { host, port } => {
            let connector = certificates.connector()?;
            let greeted = greeted(connector, host, *port).await;
            over(greeted.map_err(|error| away(in_words(&error)))?).await
        }
        Address::Tcp(address) => {
            let stream = TcpStream::connect(address).await;
            over(stream.map_err(|error| away(error.to_string()))?).await
        }
        Address::Unix(path) => {
            let stream = UnixStream::connect(path).await;
            over(stream.map_err(|error| away(error.to_string()))?).await
        }
    };
    let channel = channel.map_err(|error| away(cause(&error)))?;
    let answer = LabClient::new(channel).describe(DescribeRequest {}).await;
    answer
        .map(tonic::Response::into_inner)
        .map_err(|status| away(cause(&status)))
}

async fn greeted(
    connector: TlsConnector,
    host: &str,
    port: u16,
) -> std::io::Result<BufReader<TlsStream<TcpStream>>> {
    let name = ServerName::try_from(host.to_owned()).map_err(std::io::Error::other)?;
    let stream = TcpStream::connect((host, port)).await?;
    let mut stream = BufReader::new(connector.connect(name, stream).await?);
    // It says what it thinks of our certificate only after we have taken its own.
    stream.fill_buf().await?;
    Ok(stream)
}

/// A channel over a connection that stands already.
async fn over(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
) -> Result<Channel, Error> {
    let mut once = Some(TokioIo::new(stream));
    let connector = tower::service_fn(move |_| {
        let stream = once.take();
        std::future::ready(stream.ok_or_else(|| std::io::Error::other("the connection broke")))
    });
    Endpoint::from_static("http://localhost")
        .connect_with_connector(connector)
        .await
}

/// What is at the bottom of it, which the error itself does not tell.
fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let innermost = std::iter::successors(Some(error), |error| error.source()).last();
    let innermost = innermost.unwrap_or(error);
    innermost
        .downcast_ref::<std::io::Error>()
        .map_or_else(|| innermost.to_string(), in_words)
}
