//! Lanes that stay open, over all guests of a pool: each goes to the guest with
//! the least to do, and its name tells which.
// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use lab_proto::{
    ChangeLaneRequest, CloseLaneRequest, CloseLaneResponse, Lane, LaneSpec, ListLanesRequest,
    ListLanesResponse,
};
use tonic::Status;

use super::pool::Pool;
use super::real::{RealGuest, Use};
use crate::fault::Fault;

/// Between the guest's name and its own name for the lane.
const BETWEEN: char = '.';

/// What guests have to do because of their open lanes.
pub type Engaged = Mutex<HashMap<String, Use>>;

impl Pool {
    /// Opens a lane.
    pub async fn open_lane(&self, spec: LaneSpec) -> Result<Lane, Status> {
        let guest = self.least_busy().await?;
        let engaged = guest.engage();
        let lane = guest.answer(guest.lab().open_lane(spec)).await?;
        let lane = outside(&guest, lane);
        lock(self.engaged()).insert(lane.id.clone(), engaged);
        Ok(lane)
    }

    /// All of them.
    pub async fn list_lanes(&self) -> Result<ListLanesResponse, Status> {
        let mut lanes = Vec::new();
        for guest in self.serving() {
            let mut lab = guest.lab();
            let listed = guest.answer(lab.list_lanes(ListLanesRequest {})).await?;
            lanes.extend(listed.lanes.into_iter().map(|lane| outside(&guest, lane)));
        }
        Ok(ListLanesResponse { lanes })
    }

    /// Gives a lane a new state.
    pub async fn change_lane(&self, request: ChangeLaneRequest) -> Result<Lane, Status> {
        let (guest, id) = self.inside(&request.id)?;
        let request = ChangeLaneRequest { id, ..request };
        let lane = guest.answer(guest.lab().change_lane(request)).await?;
        Ok(outside(&guest, lane))
    }

    /// Takes a lane down.
    pub async fn close_lane(&self, request: CloseLaneRequest) -> Result<CloseLaneResponse, Status> {
        let (guest, id) = self.inside(&request.id)?;
        let closed = guest
            .answer(guest.lab().close_lane(CloseLaneRequest { id }))
            .await?;
        lock(self.engaged()).remove(&request.id);
        Ok(closed)
    }

    /// The guest that has a lane, and what it calls it.
    fn inside(&self, id: &str) -> Result<(Arc<RealGuest>, String), Fault> {
        let found = id.split_once(BETWEEN).and_then(|(guest, lane)| {
            let serving = self.serving().into_iter();
            let guest = serving.into_iter().find(|one| one.name() == guest)?;
            Some((guest, lane.to_owned()))
        });
        found.ok_or_else(|| {
            Fault::NotFound(format!(
                "id: no open lane is called `{id}`, or its guest was lost; ListLanes names those \
                 that are"
            ))
        })
    }
}

fn outside(guest: &RealGuest, lane: Lane) -> Lane {
    Lane {
        id: format!("{}{BETWEEN}{}", guest.name(), lane.id),
        ..lane
    }
}

fn lock(engaged: &Engaged) -> std::sync::MutexGuard<'_, HashMap<String, Use>> {
    engaged.lock().expect("nothing panics while holding it")
}
