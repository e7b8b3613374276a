//! What a guest in real time answers.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lab_proto::guest::{Job, LiveOrder, Outcome as JobOutcome, guest_server::Guest};
use lab_proto::guest::{Stock, StockQuestion, Time, TimeQuestion};
use tonic::{Request, Response, Status, Streaming};

use super::{job, stock};
use crate::clock::{Pace, now_ns};
use crate::engine::live::inside as live;
use crate::spool::SPOOL;

/// See the module.
pub struct Service;

#[tonic::async_trait]
impl Guest for Service {
    async fn run(&self, request: Request<Job>) -> Result<Response<JobOutcome>, Status> {
        let stop = Arc::new(AtomicBool::new(false));
        // Set when this future is dropped: the caller went away.
        let _stop = StopOnDrop(Arc::clone(&stop));
        let job = request.into_inner();
        tokio::task::spawn_blocking(move || job::run(&job, Path::new(SPOOL), Pace::Real, &stop))
            .await
            .map(Response::new)
            .map_err(|error| Status::internal(format!("{error} in the guest")))
    }

    async fn tell_time(&self, _: Request<TimeQuestion>) -> Result<Response<Time>, Status> {
        Ok(Response::new(Time { at_ns: now_ns() }))
    }

    async fn take_stock(&self, _: Request<StockQuestion>) -> Result<Response<Stock>, Status> {
        Ok(Response::new(stock::take()?))
    }

    type RunLiveStream = live::Reports;

    async fn run_live(
        &self,
        request: Request<Streaming<LiveOrder>>,
    ) -> Result<Response<Self::RunLiveStream>, Status> {
        live::serve(request.into_inner()).await.map(Response::new)
    }
}

struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
