//! A host in virtual time: a fresh guest for every session, so that a session
//! depends on nothing but its request, and a crash harms one session.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use lab_proto::guest::{Job, Outcome as JobOutcome, Transfer, job::Task, outcome};
use lab_proto::{Clock as ClockKind, DescribeRequest, HostDescription, TerminalSupport};
use prost::Message;

use super::image::Image;
use super::left;
use super::own_folder::check_free;
use super::processors::Processors;
use super::room::{Room, SessionFolder};
use super::sent::{CaptureFiles, Sent};
use super::uml::{Clock, Uml};
use crate::fault::{Doing, Fault, Outcome};
use crate::spool::{JOB, OUTCOME, STARTED};

/// A guest that takes longer than this to boot, on however busy a machine, is
/// not going to.
const BOOT_LIMIT: Duration = Duration::from_mins(2);
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// See the module.
pub struct VirtualTime {
    room: Arc<Room>,
    image: Image,
    processors: Processors,
    description: HostDescription,
}

impl VirtualTime {
    /// Boots a guest once, to learn what its kernel can do.
    pub async fn start(room: Arc<Room>, image: Image, processors: Processors) -> Outcome<Self> {
        let mut host = Self {
            room,
            image,
            processors,
            description: HostDescription::default(),
        };
        let job = Job {
            task: Some(Task::Describe(DescribeRequest {})),
        };
        let (result, ..) = host.run(&job, 0, Duration::ZERO, || ()).await?;
        let outcome::Result::Description(description) = result else {
            return Err(unexpected());
        };
        host.description = HostDescription {
            build: host.image.build.clone(),
            clock: ClockKind::VirtualTime as i32,
            guests: host.processors.numbers().len() as u32,
            terminal: Some(TerminalSupport {
                available: false,
                reason: "in virtual time nobody can type: start a host with --clock real".into(),
            }),
            ..description
        };
        Ok(host)
    }

    /// What the guests are.
    pub fn description(&self) -> &HostDescription {
        &self.description
    }

    /// See [`super::Host::transfer`].
    pub async fn transfer(
        &self,
        transfer: Transfer,
        booted: impl FnOnce() + Send,
    ) -> Outcome<Sent> {
        let first = transfer.lanes.first().and_then(|lane| lane.lane.as_ref());
        let seed = first.map_or(0, |lane| lane.seed);
        let flows = transfer.lanes.iter().flat_map(|lane| &lane.flows);
        let last_ns = flows.filter_map(|flow| flow.at_ns.last()).max();
        // Slower than the streams themselves is as good as stuck.
        let limit = Duration::from_nanos(last_ns.copied().unwrap_or(0));
        let job = Job {
            task: Some(Task::Transfer(transfer)),
        };
        let (result, folder, wall_ns) = self.run(&job, seed, limit, booted).await?;
        let outcome::Result::Transferred(transferred) = result else {
            return Err(unexpected());
        };
        Ok(Sent {
            captures: CaptureFiles::of_all(&folder.spool(), "", &transferred)?,
            transferred,
            wall_ns,
        })
    }

    /// Boots a guest for one job; gives its result, the folder with what it
    /// left, and the wall time from boot to end.
    async fn run(
        &self,
        job: &Job,
        seed: u64,
        limit: Duration,
        booted: impl FnOnce() + Send,
    ) -> Outcome<(outcome::Result, SessionFolder, u64)> {
        let clock = Clock::Virtual { seed };
        let folder = self.room.session(clock.memory_mib())?;
        let spool = folder.spool();
        fs::write(spool.join(JOB), job.encode_to_vec()).doing("writing a session's job")?;
        let processor = self.processors.take().await;
        let mut uml = Uml::start(&self.image, &folder, processor.number(), clock)?;
        let started = spool.join(STARTED);
        let work = async {
            tokio::select! {
                ended = uml.power_off() => return ended,
                () = appears(&started) => booted(),
            }
            uml.power_off().await
        };
        match tokio::time::timeout(BOOT_LIMIT + limit, work).await {
            Ok(ended) => ended?,
            Err(_) => {
                return Err(Fault::Failed(format!(
                    "the guest did not end in {:?}; {}",
                    BOOT_LIMIT + limit,
                    uml.last_lines()
                )));
            }
        }
        let Some(result) = read_outcome(&spool) else {
            check_free(&spool)?;
            return Err(Fault::Failed(format!(
                "the guest left no outcome: is {} a kernel of lab-agent/kernel/build? {}",
                self.image.kernel.display(),
                uml.last_lines()
            )));
        };
        let wall_ns = modified(&spool.join(OUTCOME))?
            .duration_since(modified(&started)?)
            .unwrap_or_default()
            .as_nanos() as u64;
        match result {
            outcome::Result::Failure(failure) => Err(failure.into()),
            result => Ok((result, folder, wall_ns)),
        }
    }
}

async fn appears(path: &Path) {
    while !path.exists() {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn read_outcome(spool: &Path) -> Option<outcome::Result> {
    let left = left::read(spool, OUTCOME.as_ref()).ok()?;
    JobOutcome::decode(&left[..]).ok()?.result
}

fn modified(path: &Path) -> Outcome<SystemTime> {
    fs::metadata(path)
        .and_then(|data| data.modified())
        .doing("reading what the guest left")
}

fn unexpected() -> Fault {
    Fault::Failed("the guest answered with something else than was asked".into())
}
