//! The lanes of a take as the kernel has them, changed as one.
// SPDX-License-Identifier: Apache-2.0
use std::sync::{Arc, Mutex, MutexGuard};

use lab_proto::LaneSpec;

use crate::fault::{Fault, Outcome};
use crate::lane::Lane;

/// Where a take's lanes are, by number. A change holds them for as long as it
/// takes, on a thread of its own.
#[derive(Clone)]
pub struct Lanes(Arc<Mutex<Kept>>);

struct Kept {
    list: Vec<Lane>,
    /// Changes so far that were of a path. Lanes that change with the same one go
    /// on with the same randomness.
    paths: u64,
}

impl Lanes {
    /// Open lanes, in order.
    pub fn new(list: Vec<Lane>) -> Self {
        Self(Arc::new(Mutex::new(Kept { list, paths: 0 })))
    }

    /// Works with a lane. Waits for a change that is under way.
    pub fn with<T>(&self, lane: usize, work: impl FnOnce(&mut Lane) -> T) -> T {
        work(&mut self.open().list[lane])
    }

    /// Changes lanes: all of them, or none. Waits for the kernel.
    pub fn change(&self, wanted: &[(usize, LaneSpec)]) -> Outcome<()> {
        let mut kept = self.open();
        let Kept { list, paths } = &mut *kept;
        for (number, spec) in wanted {
            list[*number].check(spec)?;
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
            let lane = &mut list[*number];
            done.push((*number, lane.spec().clone()));
            if let Err(fault) = lane.change_to_path(spec, nth_path) {
                for (number, before) in done {
                    // What it was a moment ago it can be again.
                    let _ = list[number].change_to_path(&before, nth_path);
                }
                return Err(fault);
            }
        }
        Ok(())
    }

    /// Packets inside a lane's emulator. None while a change is under way.
    pub fn under_way(&self, lane: usize) -> Outcome<Option<u32>> {
        match self.0.try_lock() {
            Ok(mut kept) => kept.list[lane].under_way().map(Some),
            Err(_) => Ok(None),
        }
    }

    fn open(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().expect("nothing panics while holding it")
    }
}

/// Says of a fault which lane it was about.
pub fn of_lane(lane: usize, fault: Fault) -> Fault {
    fault.below(&format!("lanes[{lane}]: "))
}
