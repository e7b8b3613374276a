//! Where an agent listens: a Unix socket, this machine's loopback, or, for other
//! machines, a TCP address where both sides show certificates.
// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::str::FromStr;
use std::task::{Context, Poll};

use clap::Args;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs, UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_stream::Stream;
use tonic::transport::server::Connected;

use super::admission::admit;
use super::certificates::Certificates;
use crate::fault::{Doing, Fault, Outcome};

/// As given with `--listen` and `--connect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `127.0.0.1:7000`; port 0 takes a free one.
    Tcp(SocketAddr),
    /// `tls://lab2.example:7000`.
    Tls {
        /// A name or a number, without brackets.
        host: String,
        /// 0 takes a free one.
        port: u16,
    },
    /// `unix:/run/lab.sock`.
    Unix(PathBuf),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            return Ok(Self::Unix(path.into()));
        }
        let found = match text.strip_prefix("tls://") {
            Some(place) => tls(place),
            None => text.parse().map(Self::Tcp).ok(),
        };
        found.ok_or_else(|| {
            format!("`{text}` is no address: give unix:PATH, 127.0.0.1:PORT or tls://HOST:PORT")
        })
    }
}

fn tls(place: &str) -> Option<Address> {
    let (host, port) = place.rsplit_once(':')?;
    let bracketed = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let host = bracketed.unwrap_or(host);
    let whole = !host.is_empty() && (bracketed.is_some() || !host.contains(':'));
    Some(Address::Tls {
        host: whole.then(|| host.to_owned())?,
        port: port.parse().ok()?,
    })
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Tls { host, port } if host.contains(':') => write!(f, "tls://[{host}]:{port}"),
            Self::Tls { host, port } => write!(f, "tls://{host}:{port}"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// Where to listen, and to whom.
#[derive(Args)]
pub struct Listen {
    /// unix:PATH, 127.0.0.1:PORT (0 takes a free one), or for other machines tls://HOST:PORT.
    #[arg(long = "listen", default_value = "127.0.0.1:0", value_name = "ADDRESS")]
    address: Address,
    #[command(flatten)]
    certificates: Certificates,
    /// Let whoever reaches a HOST:PORT use this host: in a network that is yours alone.
    #[arg(long, env = "THINLAB_PLAIN", value_parser = on_or_off)]
    plain: bool,
}

/// As the backend reads the variable; `true` and `false` are clap's own words for a switch.
fn on_or_off(word: &str) -> Result<bool, String> {
    match word {
        "on" | "true" => Ok(true),
        "off" | "false" | "" => Ok(false),
        other => Err(format!("`{other}` is neither `on` nor `off`")),
    }
}

impl Listen {
    /// Looks at what was given, before anything is started for it.
    pub fn check(&self) -> Outcome<Door> {
        let acceptor = match &self.address {
            Address::Tcp(address) if !address.ip().is_loopback() && !self.plain => {
                return Err(Fault::Failed(format!(
                    "--listen {address}: other machines reach it, and whoever does could use this \
                     host; give --listen tls://{address} and --certificates FOLDER, which `thinlab \
                     certificates` makes, or --plain in a network that is yours alone"
                )));
            }
            Address::Tls { .. } => Some(self.certificates.acceptor()?),
            Address::Tcp(_) | Address::Unix(_) => None,
        };
        Ok(Door {
            address: self.address.clone(),
            acceptor,
        })
    }
}

/// An address that will do, still shut.
pub struct Door {
    address: Address,
    acceptor: Option<TlsAcceptor>,
}

impl Door {
    /// Starts to listen.
    pub async fn open(self) -> Outcome<Listener> {
        match (self.address, self.acceptor) {
            (Address::Tls { host, port }, Some(acceptor)) => {
                let listener = bound((host.as_str(), port)).await?;
                let port = listener.local_addr().doing("listening")?.port();
                let address = Address::Tls { host, port };
                Ok(Listener::Tls(admit(listener, acceptor), address))
            }
            (Address::Tls { .. }, None) => unreachable!("a checked address has its certificates"),
            (Address::Tcp(address), _) => Ok(Listener::Tcp(bound(address).await?)),
            (Address::Unix(path), _) => {
                remove_dead_socket(&path)?;
                let listener =
                    UnixListener::bind(&path).doing(format!("listening on {}", path.display()))?;
                Ok(Listener::Unix(listener, SocketFile(path)))
            }
        }
    }
}

async fn bound(address: impl ToSocketAddrs + fmt::Debug + Copy) -> Outcome<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        Fault::Failed(format!(
            "cannot listen on {address:?}: {error}; is another agent running, or the address \
             another machine's? give --listen another"
        ))
    })
}

/// A killed agent leaves its socket; a living one answers on it.
fn remove_dead_socket(path: &PathBuf) -> Outcome<()> {
    if !path.exists() {
        return Ok(());
    }
    if std::os::unix::net::UnixStream::connect(path).is_ok() {
        return Err(Fault::Failed(format!(
            "another agent listens on {}: stop it, or give --listen another path",
            path.display()
        )));
    }
    std::fs::remove_file(path).doing(format!("removing the old socket {}", path.display()))
}

/// Removes the socket's file in the end.
pub struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A listening address: a stream of connections.
pub enum Listener {
    /// See [`Address::Tcp`].
    Tcp(TcpListener),
    /// See [`Address::Tls`].
    Tls(mpsc::Receiver<Box<TlsStream<TcpStream>>>, Address),
    /// See [`Address::Unix`].
    Unix(UnixListener, SocketFile),
}

impl Listener {
    /// In the form that a gRPC client takes.
    pub fn address(&self) -> String {
        match self {
            Self::Tcp(listener) => listener
                .local_addr()
                .map_or_else(|error| error.to_string(), |address| address.to_string()),
            Self::Tls(_, address) => address.to_string(),
            Self::Unix(_, file) => format!("unix:{}", file.0.display()),
        }
    }
}

impl Stream for Listener {
    type Item = std::io::Result<Incoming>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.get_mut() {
            Self::Tcp(listener) => listener
                .poll_accept(context)
                .map(|accepted| Some(accepted.and_then(|(stream, _)| prompt(stream)))),
            Self::Tls(admitted, _) => admitted
                .poll_recv(context)
                .map(|stream| stream.map(|stream| Ok(Incoming::Tls(stream)))),
            Self::Unix(listener, _) => listener
                .poll_accept(context)
                .map(|accepted| Some(accepted.map(|(stream, _)| Incoming::Unix(stream)))),
        }
    }
}

/// A key must not wait for what would fill its packet.
fn prompt(stream: TcpStream) -> std::io::Result<Incoming> {
    stream.set_nodelay(true)?;
    Ok(Incoming::Tcp(stream))
}

/// A caller's connection.
pub enum Incoming {
    /// See [`Address::Tcp`].
    Tcp(TcpStream),
    /// See [`Address::Tls`].
    Tls(Box<TlsStream<TcpStream>>),
    /// See [`Address::Unix`].
    Unix(UnixStream),
}

impl Connected for Incoming {
    type ConnectInfo = ();
    fn connect_info(&self) {}
}

impl AsyncRead for Incoming {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Unix(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Incoming {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Unix(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream).poll_flush(context),
            Self::Unix(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Unix(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
