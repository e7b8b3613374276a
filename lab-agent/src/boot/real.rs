//! One guest in real time: it lives until it is dropped or dies, and is reached
//! over a serial line that carries the agent's own protocol.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hyper_util::rt::TokioIo;
use lab_proto::guest::guest_client::GuestClient;
use lab_proto::guest::{Job, Stock, StockQuestion, Transfer, job::Task, outcome};
use lab_proto::{DescribeRequest, HostDescription, MAX_MESSAGE_BYTES};
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;
use tokio::sync::watch;
use tonic::Status;
use tonic::transport::{Channel, Endpoint};

use super::guest_clock::GuestClock;
use super::image::Image;
use super::own_folder;
use super::room::{Room, SessionFolder};
use super::sent::{CaptureFiles, Sent};
use super::uml::{Clock, Uml};
use crate::fault::{Doing, Fault, Outcome};

const BOOT_LIMIT: Duration = Duration::from_mins(2);
/// A line that broke is the first sign of a guest's death; the next is its end.
const DEATH_LIMIT: Duration = Duration::from_secs(5);

/// A guest that serves. Whoever works with it holds it; when it dies under them
/// their calls end with [`Fault::Lost`].
pub struct RealGuest {
    name: String,
    channel: Channel,
    clock: GuestClock,
    /// Why it is gone, once it is.
    lost: watch::Sender<Option<String>>,
    uses: AtomicUsize,
    folders: AtomicU64,
    // In this order: a guest's folder goes before the room.
    folder: SessionFolder,
    _room: Arc<Room>,
}

/// One more thing that a guest has to do, until dropped.
pub struct Use(Arc<RealGuest>);

impl Drop for Use {
    fn drop(&mut self) {
        self.0.uses.fetch_sub(1, Ordering::Relaxed);
    }
}

impl RealGuest {
    /// Boots a guest on `processor` and waits until it serves. The process is
    /// the caller's to watch.
    pub async fn boot(
        room: &Arc<Room>,
        image: &Image,
        processor: usize,
        name: String,
    ) -> Outcome<(Uml, Arc<Self>, HostDescription)> {
        let (ours, serial) = StdUnixStream::pair().doing("making the guest's serial line")?;
        let serial = OwnedFd::from(serial);
        let clock = Clock::Real { serial };
        let folder = room.session(clock.memory_mib())?;
        let mut uml = Uml::start(image, &folder, processor, clock)?;
        let line = serving(ours, &mut uml).await?;
        let channel = connect(line).await?;
        let guest = Self {
            name,
            clock: GuestClock::default(),
            channel,
            lost: watch::Sender::new(None),
            uses: AtomicUsize::new(0),
            folders: AtomicU64::new(0),
            folder,
            _room: Arc::clone(room),
        };
        let described = guest.describe().await?;
        guest.clock.compare_often(&mut guest.calls()).await?;
        Ok((uml, Arc::new(guest), described))
    }

    /// What it is called in answers; no two guests of an agent share a name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How its clock stands to the machine's.
    pub fn clock(&self) -> &GuestClock {
        &self.clock
    }

    /// Counts something that it has to do.
    pub fn engage(self: &Arc<Self>) -> Use {
        self.uses.fetch_add(1, Ordering::Relaxed);
        Use(Arc::clone(self))
    }

    /// How much it has to do.
    pub fn uses(&self) -> usize {
        self.uses.load(Ordering::Relaxed)
    }

    /// What it knows of itself.
    async fn describe(&self) -> Outcome<HostDescription> {
        let job = Job {
            task: Some(Task::Describe(DescribeRequest {})),
        };
        let outcome = self.calls().run(job).await;
        let outcome =
            outcome.map_err(|status| Fault::Failed(format!("the guest: {}", status.message())))?;
        match outcome.into_inner().result {
            Some(outcome::Result::Description(described)) => Ok(described),
            Some(outcome::Result::Failure(failure)) => Err(failure.into()),
            _ => Err(Fault::Failed("the guest did not describe itself".into())),
        }
    }

    /// Its own service.
    pub fn calls(&self) -> GuestClient<Channel> {
        GuestClient::new(self.channel.clone())
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES)
    }

    /// Waits for a call, or for the guest's death.
    pub async fn answer<T>(
        &self,
        call: impl Future<Output = Result<tonic::Response<T>, Status>>,
    ) -> Result<T, Status> {
        tokio::select! {
            biased;
            answer = call => match answer {
                Ok(answer) => Ok(answer.into_inner()),
                Err(status) => Err(self.explain(status).await),
            },
            fault = self.lost() => Err(fault.into()),
        }
    }

    /// What a call's failure means: the guest's own word, or its death.
    pub async fn explain(&self, status: Status) -> Status {
        // Only what broke on the way has a source.
        if std::error::Error::source(&status).is_none() {
            return Status::new(status.code(), status.message());
        }
        match tokio::time::timeout(DEATH_LIMIT, self.lost()).await {
            Ok(fault) => fault.into(),
            Err(_) => Fault::Failed(format!("the line to {} broke: {status}", self.name)).into(),
        }
    }

    /// Waits until the guest is gone, for ever if need be.
    pub async fn lost(&self) -> Fault {
        let mut lost = self.lost.subscribe();
        // Never errs: the sender is in `self`.
        let why = lost.wait_for(Option::is_some).await;
        let why = why.ok().and_then(|why| why.clone()).unwrap_or_default();
        Fault::Lost(format!(
            "host-lost: {} is gone and another takes its place, ask again; {why}",
            self.name
        ))
    }

    /// Tells everybody who waits for it.
    pub fn bury(&self, why: String) {
        self.lost.send_replace(Some(why));
    }

    /// What would show that something was left behind in it.
    pub async fn stock(&self) -> Result<Stock, Status> {
        let mut calls = self.calls();
        self.answer(calls.take_stock(StockQuestion {})).await
    }

    /// A folder below the spool, for captures.
    pub fn captures(&self) -> Outcome<CaptureFolder> {
        let number = self.folders.fetch_add(1, Ordering::Relaxed);
        CaptureFolder::make(&self.folder, &format!("captures-{number}"))
    }

    /// See [`super::Host::transfer`].
    pub async fn transfer(
        &self,
        transfer: Transfer,
        booted: impl FnOnce() + Send,
    ) -> Outcome<Sent> {
        let below = self.captures()?;
        let transfer = Transfer {
            folder: below.name().into(),
            ..transfer
        };
        booted();
        let start = Instant::now();
        let mut calls = self.calls();
        let outcome = self
            .answer(calls.run(Job {
                task: Some(Task::Transfer(transfer)),
            }))
            .await
            .map_err(|status| match status.code() {
                tonic::Code::Aborted => Fault::Lost(status.message().into()),
                tonic::Code::DataLoss => Fault::Broken(status.message().into()),
                _ => Fault::Failed(status.message().into()),
            })?;
        match outcome.result {
            Some(outcome::Result::Transferred(transferred)) => Ok(Sent {
                captures: CaptureFiles::of_all(&below.spool, &below.name, &transferred)?,
                transferred,
                wall_ns: start.elapsed().as_nanos() as u64,
            }),
            Some(outcome::Result::Failure(failure)) => Err(failure.into()),
            _ => Err(Fault::Failed("the guest gave no outcome".into())),
        }
    }
}

/// A folder for two captures, removed when dropped.
pub struct CaptureFolder {
    name: String,
    spool: PathBuf,
}

impl CaptureFolder {
    fn make(folder: &SessionFolder, name: &str) -> Outcome<Self> {
        let spool = folder.spool();
        fs::create_dir(spool.join(name)).doing("making a folder for captures")?;
        Ok(Self {
            name: name.into(),
            spool,
        })
    }

    /// As the guest knows it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads both captures of a run with one lane, of which the guest says that they
    /// have so many bytes.
    pub fn read(&self, sender_bytes: u64, receiver_bytes: u64) -> Outcome<CaptureFiles> {
        CaptureFiles::read(&self.spool, &self.name, 0, sender_bytes, receiver_bytes)
    }
}

impl Drop for CaptureFolder {
    fn drop(&mut self) {
        own_folder::remove(&self.spool.join(&self.name));
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
