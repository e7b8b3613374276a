//! The lanes of a take as the kernel has them, changed as one.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard};

use lab_proto::LaneSpec;
use rustix::net::sockopt;

use crate::fault::{Doing, Fault, Outcome};
use crate::lane::{Lane, baseline};

/// A lane, what it was told last, and the two ends of its connection: a new
/// baseline's congestion control has to be told to each.
struct Carrier {
    lane: Lane,
    spec: LaneSpec,
    sockets: Vec<OwnedFd>,
}

impl Carrier {
    fn change(&mut self, spec: &LaneSpec, nth_path: u64) -> Outcome<()> {
        self.lane.change_to_path(spec, nth_path)?;
        if self.spec.baseline != spec.baseline {
            let name = baseline::congestion_control(spec.baseline())?;
            for socket in &self.sockets {
                sockopt::set_tcp_congestion(socket, name).doing(format!(
                    "changing a connection's congestion control to {name}"
                ))?;
            }
        }
        self.spec = spec.clone();
        Ok(())
    }

    fn has_path(&self, spec: &LaneSpec) -> bool {
        let path = |spec: &LaneSpec| (spec.forward, spec.backward, spec.seed);
        path(&self.spec) == path(spec)
    }
}

/// Where a take's lanes are, by number. A change holds them for as long as it
/// takes, on a thread of its own.
#[derive(Clone)]
pub struct Lanes(Arc<Mutex<Carriers>>);

struct Carriers {
    list: Vec<Carrier>,
    /// Changes so far that were of a path. Lanes that change with the same one go
    /// on with the same randomness.
    paths: u64,
}

impl Lanes {
    /// Made lanes, in order, and what each was told.
    pub fn new(lanes: Vec<(Lane, LaneSpec)>) -> Self {
        let carriers = lanes.into_iter().map(|(lane, spec)| Carrier {
            lane,
            spec,
            sockets: Vec::new(),
        });
        Self(Arc::new(Mutex::new(Carriers {
            list: carriers.collect(),
            paths: 0,
        })))
    }

    /// Names the ends of a lane's connection.
    pub fn connected(&self, lane: usize, sockets: Vec<OwnedFd>) {
        self.open().list[lane].sockets = sockets;
    }

    /// Lets go of a lane's connection, so that it can be closed.
    pub fn disconnect(&self, lane: usize) {
        self.open().list[lane].sockets.clear();
    }

    /// Works with a lane. Waits for a change that is under way.
    pub fn with<T>(&self, lane: usize, work: impl FnOnce(&mut Lane) -> T) -> T {
        work(&mut self.open().list[lane].lane)
    }

    /// Changes lanes: all of them, or none. Waits for the kernel.
    pub fn change(&self, wanted: &[(usize, LaneSpec)]) -> Outcome<()> {
        let mut carriers = self.open();
        let Carriers { list, paths } = &mut *carriers;
        for (number, spec) in wanted {
            list[*number].lane.check(spec)?;
        }
        let nth_path = *paths;
        if wanted
            .iter()
            .any(|(number, spec)| !list[*number].has_path(spec))
        {
            *paths += 1;
        }
        let mut done = Vec::new();
        for (number, spec) in wanted {
            let carrier = &mut list[*number];
            done.push((*number, carrier.spec.clone()));
            if let Err(fault) = carrier.change(spec, nth_path) {
                for (number, before) in done {
                    // What it was a moment ago it can be again.
                    let _ = list[number].change(&before, nth_path);
                }
                return Err(fault);
            }
        }
        Ok(())
    }

    /// Packets inside a lane's emulator. None while a change is under way.
    pub fn under_way(&self, lane: usize) -> Outcome<Option<u32>> {
        match self.0.try_lock() {
            Ok(mut carriers) => carriers.list[lane].lane.under_way().map(Some),
            Err(_) => Ok(None),
        }
    }

    fn open(&self) -> MutexGuard<'_, Carriers> {
        self.0.lock().expect("nothing panics while holding it")
    }
}

/// Says of a fault which lane it was about.
pub fn of_lane(lane: usize, fault: Fault) -> Fault {
    fault.below(&format!("lanes[{lane}]: "))
}
