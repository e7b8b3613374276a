//! `lab-agent boot`: embedded hosts on this machine, served to the backend.
//!
//! In virtual time every session gets a guest of its own, pinned to one
//! processor; in real time a pool of guests lives as long as this process.
// SPDX-License-Identifier: Apache-2.0
mod guest_clock;
mod image;
mod left;
mod memory;
mod own_folder;
mod pool;
mod processor_use;
mod processors;
mod programs;
mod real;
mod room;
mod sent;
mod system_calls;
mod uml;
mod virtual_time;
mod wall;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use lab_proto::HostDescription;
use lab_proto::guest::Transfer;

use crate::fault::{Fault, Outcome};
pub use guest_clock::Comparison;
use image::Image;
pub use pool::Pool;
use processors::Processors;
pub use real::{CaptureFolder, RealGuest};
use room::Room;
pub use sent::{CaptureFiles, Sent};
pub use virtual_time::VirtualTime;

/// Which kernel and guest, on which processors.
#[derive(Args, Clone)]
pub struct HostOptions {
    /// The User Mode Linux executable.
    #[arg(long, env = "THINLAB_KERNEL", value_name = "FILE")]
    kernel: PathBuf,
    /// The guest's base image (initramfs); this executable is added to it.
    #[arg(long, env = "THINLAB_GUEST", value_name = "FILE")]
    guest: PathBuf,
    /// What a terminal runs (archive), for guests in real time; without it they have no terminals.
    #[arg(long, env = "THINLAB_TERMINAL", value_name = "FILE")]
    terminal: Option<OsString>,
    /// Processors to pin guests to, one guest each [default: all we may use].
    #[arg(long, value_delimiter = ',', value_name = "CPU,…")]
    cpus: Vec<usize>,
    /// In real time: guests that are kept running, each pinned to a processor in turn.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    hosts: u16,
    /// In real time: guests that are kept for demos alone, beside those.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=16))]
    demos: u16,
}

impl HostOptions {
    /// With guests for so many demos at least.
    #[must_use]
    pub fn with_demos(self, demos: u16) -> Self {
        Self {
            demos: self.demos.max(demos),
            ..self
        }
    }
}

/// How a host's clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClockChoice {
    /// Sessions run as fast as the processor allows, the same every time.
    Virtual,
    /// Lanes for people, and sessions that take as long as their stream.
    Real,
}

/// An embedded host of either kind.
pub enum Host {
    /// Sessions only.
    Virtual(Box<VirtualTime>),
    /// Sessions, terminals and demos.
    Real(Box<RealTime>),
}

/// The guests of a host in real time.
pub struct RealTime {
    studies: Pool,
    /// A demo never shares a guest with somebody who takes part in a study.
    demos: Option<Pool>,
    description: HostDescription,
}

impl RealTime {
    async fn start(
        options: &HostOptions,
        room: &Arc<Room>,
        image: &Image,
        processors: &Processors,
        terminals: bool,
    ) -> Outcome<Self> {
        let mut processors = processors.numbers().into_iter().cycle();
        let mut pool = async |kind, guests: u16| {
            let (room, image) = (Arc::clone(room), image.clone());
            let started = Pool::start(kind, room, image, &mut processors, guests.into());
            Outcome::Ok(started.await?.with_terminals(terminals))
        };
        let studies = pool("guest", options.hosts).await?;
        let demos = match options.demos {
            0 => None,
            guests => Some(pool("demo", guests).await?),
        };
        let description = HostDescription {
            demo_guests: options.demos.into(),
            ..studies.description().clone()
        };
        Ok(Self {
            studies,
            demos,
            description,
        })
    }
}

impl Host {
    /// Makes the host ready: after this the kernel is known to boot.
    pub async fn start(options: &HostOptions, clock: ClockChoice) -> Outcome<Self> {
        let processors = Processors::new(&options.cpus)?;
        let room = Arc::new(Room::open()?);
        wall::tell_what_is_missing(wall::possible());
        // Terminals are for people: a guest in virtual time boots without.
        // A variable that is set to nothing names nothing.
        let named = options.terminal.as_deref().filter(|name| !name.is_empty());
        let terminal = named.map(Path::new).filter(|_| clock == ClockChoice::Real);
        let image = Image::build(&options.kernel, &options.guest, terminal, &room)?;
        Ok(match clock {
            ClockChoice::Virtual => {
                Self::Virtual(Box::new(VirtualTime::start(room, image, processors).await?))
            }
            ClockChoice::Real => Self::Real(Box::new(
                RealTime::start(options, &room, &image, &processors, terminal.is_some()).await?,
            )),
        })
    }

    /// What this host is.
    pub fn description(&self) -> &HostDescription {
        match self {
            Self::Virtual(host) => host.description(),
            Self::Real(host) => &host.description,
        }
    }

    /// The same, and how its guests are at this moment.
    pub fn describe(&self) -> HostDescription {
        let behind = match self {
            Self::Virtual(_) => None,
            Self::Real(host) => {
                let guests = host.studies.serving();
                guests.iter().map(|guest| guest.clock().behind()).max()
            }
        };
        HostDescription {
            guest_answer_ns: behind.map_or(0, |behind| behind.as_nanos() as u64),
            guest_wall: Some(wall::possible()),
            ..self.description().clone()
        }
    }

    /// Sends a stream over a lane of its own. Dropping the future ends it, and
    /// in virtual time the guest with it. `booted` is called when the stream
    /// begins.
    pub async fn transfer(
        &self,
        transfer: Transfer,
        booted: impl FnOnce() + Send,
    ) -> Outcome<Sent> {
        match self {
            Self::Virtual(host) => host.transfer(transfer, booted).await,
            Self::Real(host) => {
                let guest = host.studies.least_busy().await?;
                let _use = guest.engage();
                guest.transfer(transfer, booted).await
            }
        }
    }

    /// The guests for sessions and terminals.
    pub fn real(&self) -> Outcome<&Pool> {
        Ok(&self.real_time()?.studies)
    }

    /// The guests for demos.
    pub fn demos(&self) -> Outcome<&Pool> {
        self.real_time()?.demos.as_ref().ok_or_else(|| {
            Fault::WrongHost(
                "this host keeps no guest for demos: start one with lab-agent boot --clock real \
                 --demos 1"
                    .into(),
            )
        })
    }

    /// All guests in real time that serve now.
    pub fn serving(&self) -> Outcome<Vec<Arc<RealGuest>>> {
        let host = self.real_time()?;
        let demos = host.demos.iter().flat_map(Pool::serving);
        Ok(host.studies.serving().into_iter().chain(demos).collect())
    }

    fn real_time(&self) -> Outcome<&RealTime> {
        match self {
            Self::Real(host) => Ok(host),
            Self::Virtual(_) => Err(Fault::WrongHost(
                "this host's clock is virtual and runs only inside RunSession: for \
                 terminals and demos start one with --clock real"
                    .into(),
            )),
        }
    }
}
