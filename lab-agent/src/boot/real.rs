//! A host in real time: one guest for as long as the agent runs, reached over a
//! serial line that carries the same protocol.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hyper_util::rt::TokioIo;
use lab_proto::guest::{Job, Transfer, guest_client::GuestClient, job::Task, outcome};
use lab_proto::lab_client::LabClient;
use lab_proto::{Clock as ClockKind, DescribeRequest, HostDescription, MAX_MESSAGE_BYTES};
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

use super::Sent;
use super::image::Image;
use super::processors::{Processor, Processors};
use super::room::{Room, SessionFolder};
use super::uml::{Clock, Uml};
use super::virtual_time::capture;
use crate::fault::{Doing, Fault, Outcome};
use crate::stream::transfer::{RECEIVER_CAPTURE, SENDER_CAPTURE};

const BOOT_LIMIT: Duration = Duration::from_mins(2);

/// See the module.
pub struct RealTime {
    channel: Channel,
    description: HostDescription,
    transfers: AtomicU64,
    // In this order: the guest ends before its folder goes, that before the room.
    uml: Uml,
    folder: SessionFolder,
    _processor: Processor,
    _room: Arc<Room>,
}

impl RealTime {
    /// Boots the guest and waits until it serves.
    pub async fn start(room: Arc<Room>, image: Image, processors: Processors) -> Outcome<Self> {
        let folder = room.session()?;
        let processor = processors.take().await;
        let (ours, serial) = StdUnixStream::pair().doing("making the guest's serial line")?;
        let serial = OwnedFd::from(serial);
        let mut uml = Uml::start(&image, &folder, processor.number(), Clock::Real { serial })?;
        let line = serving(ours, &mut uml).await?;
        let channel = connect(line).await?;
        let described = LabClient::new(channel.clone())
            .describe(DescribeRequest {})
            .await
            .map_err(|status| Fault::Failed(format!("the guest: {}", status.message())))?
            .into_inner();
        Ok(Self {
            channel,
            description: HostDescription {
                build: image.build,
                clock: ClockKind::RealTime as i32,
                ..described
            },
            transfers: AtomicU64::new(0),
            uml,
            folder,
            _processor: processor,
            _room: room,
        })
    }

    /// What the guest is.
    pub fn description(&self) -> &HostDescription {
        &self.description
    }

    /// The guest's own service, for the calls that are about lanes.
    pub fn lab(&self) -> LabClient<Channel> {
        LabClient::new(self.channel.clone())
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES)
    }

    /// See [`super::Host::transfer`].
    pub async fn transfer(
        &self,
        transfer: Transfer,
        booted: impl FnOnce() + Send,
    ) -> Outcome<Sent> {
        let number = self.transfers.fetch_add(1, Ordering::Relaxed);
        let below = TransferFolder::make(&self.folder, &format!("transfer-{number}"))?;
        let transfer = Transfer {
            folder: below.name.clone(),
            ..transfer
        };
        booted();
        let start = Instant::now();
        let outcome = GuestClient::new(self.channel.clone())
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES)
            .run(Job {
                task: Some(Task::Transfer(transfer)),
            })
            .await
            .map_err(|status| self.broken(&status))?
            .into_inner();
        match outcome.result {
            Some(outcome::Result::Transferred(transferred)) => Ok(Sent {
                sender_capture: capture(
                    &below.path,
                    SENDER_CAPTURE,
                    transferred.sender_capture_bytes,
                )?,
                receiver_capture: capture(
                    &below.path,
                    RECEIVER_CAPTURE,
                    transferred.receiver_capture_bytes,
                )?,
                transferred,
                wall_ns: start.elapsed().as_nanos() as u64,
            }),
            Some(outcome::Result::Failure(failure)) => Err(failure.into()),
            _ => Err(Fault::Failed("the guest gave no outcome".into())),
        }
    }

    /// A call that the guest did not answer itself.
    pub fn broken(&self, status: &Status) -> Fault {
        Fault::Failed(format!(
            "the guest is gone ({}): start the agent again; {}",
            status.message(),
            self.uml.last_lines()
        ))
    }

    /// Passes on what the guest says, or that it is gone.
    pub fn answer<T>(&self, result: Result<tonic::Response<T>, Status>) -> Result<T, Status> {
        match result {
            Ok(answer) => Ok(answer.into_inner()),
            Err(status) if matches!(status.code(), Code::Unavailable | Code::Unknown) => {
                Err(self.broken(&status).into())
            }
            Err(status) => Err(Status::new(status.code(), status.message())),
        }
    }
}

/// A folder for one transfer's captures, removed when dropped.
struct TransferFolder {
    name: String,
    path: std::path::PathBuf,
}

impl TransferFolder {
    fn make(folder: &SessionFolder, name: &str) -> Outcome<Self> {
        let path = folder.spool().join(name);
        fs::create_dir(&path).doing("making a folder for captures")?;
        Ok(Self {
            name: name.into(),
            path,
        })
    }
}

impl Drop for TransferFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Waits for the byte by which the guest says that the line is raw: before it,
/// the terminal would send our own bytes back to us.
async fn serving(line: StdUnixStream, uml: &mut Uml) -> Outcome<UnixStream> {
    let mut line = line
        .set_nonblocking(true)
        .and_then(|()| UnixStream::from_std(line))
        .doing("opening the guest's serial line")?;
    let ready = tokio::select! {
        ended = uml.power_off() => {
            ended?;
            Err(Fault::Failed("the guest ended instead of serving".into()))
        }
        read = tokio::time::timeout(BOOT_LIMIT, line.read_u8()) => match read {
            Ok(byte) => byte.doing("waiting for the guest").map(|_| ()),
            Err(_) => Err(Fault::Failed(format!("the guest did not serve in {BOOT_LIMIT:?}"))),
        },
    };
    ready
        .map(|()| line)
        .map_err(|fault| Fault::Failed(format!("{fault}; {}", uml.last_lines())))
}

async fn connect(line: UnixStream) -> Outcome<Channel> {
    let mut line = Some(line);
    Endpoint::from_static("http://guest")
        .connect_with_connector(tower::service_fn(move |_| {
            let line = line.take().map(TokioIo::new);
            async { line.ok_or_else(|| std::io::Error::other("the line is closed")) }
        }))
        .await
        .map_err(|error| Fault::Failed(format!("{error} while calling the guest")))
}
