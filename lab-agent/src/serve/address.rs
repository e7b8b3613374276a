//! Where the agent listens: a TCP address or a Unix socket.
// SPDX-License-Identifier: Apache-2.0
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::str::FromStr;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio_stream::Stream;
use tonic::transport::server::Connected;

use crate::fault::{Doing, Fault, Outcome};

/// As given with `--listen`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `127.0.0.1:7000`; port 0 takes a free one.
    Tcp(SocketAddr),
    /// `unix:/run/lab.sock`.
    Unix(PathBuf),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            return Ok(Self::Unix(path.into()));
        }
        text.parse()
            .map(Self::Tcp)
            .map_err(|_| format!("`{text}` is no address: give 127.0.0.1:PORT or unix:PATH"))
    }
}

impl Address {
    /// Starts to listen.
    pub fn listen(&self) -> Outcome<Listener> {
        match self {
            Self::Tcp(address) => {
                let listener = std::net::TcpListener::bind(address).map_err(|error| {
                    Fault::Failed(format!(
                        "cannot listen on {address}: {error}; is another agent running? give \
                         --listen another port"
                    ))
                })?;
                listener.set_nonblocking(true).doing("listening")?;
                Ok(Listener::Tcp(
                    TcpListener::from_std(listener).doing("listening")?,
                ))
            }
            Self::Unix(path) => {
                remove_dead_socket(path)?;
                let listener =
                    UnixListener::bind(path).doing(format!("listening on {}", path.display()))?;
                Ok(Listener::Unix(listener, SocketFile(path.clone())))
            }
        }
    }
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
                .map(|accepted| Some(accepted.map(|(stream, _)| Incoming::Tcp(stream)))),
            Self::Unix(listener, _) => listener
                .poll_accept(context)
                .map(|accepted| Some(accepted.map(|(stream, _)| Incoming::Unix(stream)))),
        }
    }
}

/// A caller's connection.
pub enum Incoming {
    /// See [`Address::Tcp`].
    Tcp(TcpStream),
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
            Self::Unix(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_flush(context),
            Self::Unix(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Unix(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
