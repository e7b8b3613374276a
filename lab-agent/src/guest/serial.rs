//! The guest's service on its serial line.
// SPDX-License-Identifier: Apache-2.0
use std::fs::File;
use std::io::{Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lab_proto::MAX_MESSAGE_BYTES;
use lab_proto::guest::guest_server::GuestServer;
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_stream::StreamExt;
use tonic::transport::Server;
use tonic::transport::server::Connected;

use super::service::Service;
use crate::fault::{Doing, Fault, Outcome};
use crate::punctual;

const LINE: &str = "/dev/ttyS0";

/// Serves until the host closes the line.
pub fn serve() -> Outcome<()> {
    let mut line = File::options()
        .read(true)
        .write(true)
        .open(LINE)
        .doing(format!("opening {LINE}"))?;
    let mut mode = tcgetattr(&line).doing("reading the serial line's mode")?;
    mode.make_raw();
    tcsetattr(&line, OptionalActions::Now, &mode).doing("making the serial line raw")?;
    line.write_all(&[0]).doing("telling the host we serve")?;
    rustix::io::ioctl_fionbio(&line, true).doing("making the serial line non-blocking")?;
    // Before whoever logs in: everybody's keys pass this thread. Not for its children.
    let _ = punctual::prefer_alone(punctual::PASSING_ON);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .doing("starting the guest's service")?;
    runtime.block_on(serve_line(line))
}

async fn serve_line(line: File) -> Outcome<()> {
    // Sound: a file's descriptor stays the same until it is dropped.
    #[allow(unsafe_code)]
    let line = unsafe { AsyncFd::register(line) }.doing("watching the serial line")?;
    let (end, ended) = tokio::sync::oneshot::channel();
    let line = Line {
        file: line,
        _end: end,
    };
    Server::builder()
        .add_service(
            GuestServer::new(Service)
                .max_decoding_message_size(MAX_MESSAGE_BYTES)
                .max_encoding_message_size(MAX_MESSAGE_BYTES),
        )
        .serve_with_incoming_shutdown(
            // One connection, then none: the end of the stream would be taken for
            // the end of the service.
            tokio_stream::once(Ok::<_, std::io::Error>(line)).chain(tokio_stream::pending()),
            // Errs when the line is dropped: there will be no other.
            async { ended.await.unwrap_or(()) },
        )
        .await
        .map_err(|error| Fault::Failed(format!("{error} while serving")))
}

/// The serial line as a connection.
struct Line {
    file: AsyncFd<File>,
    _end: tokio::sync::oneshot::Sender<()>,
}

impl Connected for Line {
    type ConnectInfo = ();
    fn connect_info(&self) {}
}

impl AsyncRead for Line {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        loop {
            let mut guard = ready!(self.file.poll_read_ready(context))?;
            let room = buffer.initialize_unfilled();
            if let Ok(result) = guard.try_io(|file| file.get_ref().read(room)) {
                return Poll::Ready(result.map(|read| buffer.advance(read)));
            }
        }
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        loop {
            let mut guard = ready!(self.file.poll_write_ready(context))?;
            if let Ok(result) = guard.try_io(|file| file.get_ref().write(bytes)) {
                return Poll::Ready(result);
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
