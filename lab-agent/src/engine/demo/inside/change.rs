//! Changes of a take's lanes, one after the other, each on a thread that may
//! wait for the kernel.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

use lab_proto::{DemoChange, DemoChanged, LaneSpec};
use tokio::task::JoinHandle;

use super::lanes::Lanes;
use crate::clock::now_ns;
use crate::fault::{Fault, Outcome};

/// More than a person asks for while one is made; a caller who asks for more
/// waits.
const MOST_WAITING: usize = 64;

/// See the module.
pub struct Changes {
    lanes: Lanes,
    waiting: VecDeque<DemoChange>,
    under_way: Option<JoinHandle<DemoChanged>>,
}

impl Changes {
    /// Of a take's lanes.
    pub fn new(lanes: Lanes) -> Self {
        Self {
            lanes,
            waiting: VecDeque::new(),
            under_way: None,
        }
    }

    /// Whether one more may come.
    pub fn has_room(&self) -> bool {
        self.waiting.len() < MOST_WAITING
    }

    /// Whether nothing is left to do.
    pub fn is_idle(&self) -> bool {
        self.under_way.is_none()
    }

    /// Makes a change as soon as those before it are made.
    pub fn push(&mut self, change: DemoChange) {
        self.waiting.push_back(change);
        self.go_on();
    }

    /// Waits for the change that is under way, for ever when there is none.
    pub async fn done(&mut self) -> Outcome<DemoChanged> {
        let Some(under_way) = &mut self.under_way else {
            return std::future::pending().await;
        };
        let changed = under_way.await;
        self.under_way = None;
        self.go_on();
        changed.map_err(|error| Fault::Failed(format!("{error} while changing lanes")))
    }

    fn go_on(&mut self) {
        if self.under_way.is_some() {
            return;
        }
        if let Some(change) = self.waiting.pop_front() {
            let lanes = self.lanes.clone();
            let work = move || make(&lanes, change);
            self.under_way = Some(tokio::task::spawn_blocking(work));
        }
    }
}

fn make(lanes: &Lanes, change: DemoChange) -> DemoChanged {
    let id = change.id;
    let made = lanes.change(&wanted(change));
    DemoChanged {
        id,
        kernel_at_ns: now_ns(),
        problem: made
            .err()
            .map(|fault| fault.to_string())
            .unwrap_or_default(),
    }
}

/// What a change asks of which lanes. The agent outside has checked it.
fn wanted(change: DemoChange) -> Vec<(usize, LaneSpec)> {
    let lanes = change.lanes.into_iter();
    lanes
        .map(|one| (one.lane as usize, one.spec.unwrap_or_default()))
        .collect()
}
