//! What a guest in real time answers: jobs, and lanes that stay open.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use lab_proto::guest::{DemoOrder, Stock, StockQuestion, TerminalOrder, Time, TimeQuestion};
use lab_proto::guest::{Job, Outcome as JobOutcome, guest_server::Guest};
use lab_proto::lab_server::Lab;
use lab_proto::{
    ChangeLaneRequest, CloseLaneRequest, CloseLaneResponse, DemoEvent, DemoInput, DescribeRequest,
    HostDescription, Lane as LaneMessage, LaneSpec, ListLanesRequest, ListLanesResponse,
    SessionEvent, SessionSpec, TerminalEvent, TerminalInput,
};
use tonic::{Request, Response, Status, Streaming};

use super::{SPOOL, job, stock, waiting};
use crate::demo::inside as demo;
use crate::fault::{Fault, Outcome};
use crate::lane::Lane;
use crate::stream::clock::{Pace, now_ns};
use crate::terminal::inside as terminal;

/// The open lanes by identifier, each with what it was last told.
#[derive(Default)]
struct Lanes {
    made: u64,
    open: BTreeMap<String, (Lane, LaneSpec)>,
}

/// See the module.
#[derive(Clone, Default)]
pub struct Service {
    lanes: Arc<Mutex<Lanes>>,
}

impl Service {
    /// Runs `work` on a thread that may enter other namespaces and wait.
    async fn with_lanes<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Lanes) -> Outcome<T> + Send + 'static,
    ) -> Result<Response<T>, Status> {
        let lanes = Arc::clone(&self.lanes);
        let result = waiting::blocking(move || {
            let mut lanes = lanes.lock().map_err(|_| {
                Fault::Failed("an earlier call failed half-way: start the agent again".into())
            })?;
            work(&mut lanes)
        });
        Ok(Response::new(result.await?))
    }
}

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

    type RunTerminalStream = terminal::Reports;
    type RunDemoStream = demo::Reports;

    async fn run_demo(
        &self,
        request: Request<Streaming<DemoOrder>>,
    ) -> Result<Response<Self::RunDemoStream>, Status> {
        Ok(Response::new(demo::serve(request.into_inner())))
    }

    async fn run_terminal(
        &self,
        request: Request<Streaming<TerminalOrder>>,
    ) -> Result<Response<Self::RunTerminalStream>, Status> {
        Ok(Response::new(terminal::serve(request.into_inner())))
    }
}

struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[tonic::async_trait]
impl Lab for Service {
    type RunSessionStream = tokio_stream::Empty<Result<SessionEvent, Status>>;
    type RunTerminalStream = tokio_stream::Empty<Result<TerminalEvent, Status>>;
    type RunDemoStream = tokio_stream::Empty<Result<DemoEvent, Status>>;

    async fn describe(
        &self,
        _: Request<DescribeRequest>,
    ) -> Result<Response<HostDescription>, Status> {
        Ok(Response::new(job::describe()))
    }

    async fn run_session(
        &self,
        _: Request<SessionSpec>,
    ) -> Result<Response<Self::RunSessionStream>, Status> {
        Err(Status::unimplemented(
            "the guest only moves messages: call the agent that booted it",
        ))
    }

    async fn run_terminal(
        &self,
        _: Request<Streaming<TerminalInput>>,
    ) -> Result<Response<Self::RunTerminalStream>, Status> {
        Err(Status::unimplemented(
            "the guest only moves keys and screens: call the agent that booted it",
        ))
    }

    async fn run_demo(
        &self,
        _: Request<Streaming<DemoInput>>,
    ) -> Result<Response<Self::RunDemoStream>, Status> {
        Err(Status::unimplemented(
            "the guest only moves messages: call the agent that booted it",
        ))
    }

    async fn open_lane(&self, request: Request<LaneSpec>) -> Result<Response<LaneMessage>, Status> {
        let spec = request.into_inner();
        self.with_lanes(move |lanes| {
            let lane = Lane::open(&spec)?;
            lanes.made += 1;
            let id = format!("lane-{}", lanes.made);
            lanes.open.insert(id.clone(), (lane, spec.clone()));
            Ok(message(&id, &spec))
        })
        .await
    }

    async fn list_lanes(
        &self,
        _: Request<ListLanesRequest>,
    ) -> Result<Response<ListLanesResponse>, Status> {
        self.with_lanes(|lanes| {
            let open = lanes.open.iter();
            Ok(ListLanesResponse {
                lanes: open.map(|(id, (_, spec))| message(id, spec)).collect(),
            })
        })
        .await
    }

    async fn change_lane(
        &self,
        request: Request<ChangeLaneRequest>,
    ) -> Result<Response<LaneMessage>, Status> {
        let ChangeLaneRequest { id, spec } = request.into_inner();
        let spec = spec.unwrap_or_default();
        self.with_lanes(move |lanes| {
            let (lane, current) = lanes.open.get_mut(&id).ok_or_else(|| unknown(&id))?;
            lane.change(&spec)?;
            *current = spec.clone();
            Ok(message(&id, &spec))
        })
        .await
    }

    async fn close_lane(
        &self,
        request: Request<CloseLaneRequest>,
    ) -> Result<Response<CloseLaneResponse>, Status> {
        let id = request.into_inner().id;
        self.with_lanes(move |lanes| match lanes.open.remove(&id) {
            Some(_) => Ok(CloseLaneResponse {}),
            None => Err(unknown(&id)),
        })
        .await
    }
}

fn message(id: &str, spec: &LaneSpec) -> LaneMessage {
    LaneMessage {
        id: id.to_owned(),
        spec: Some(spec.clone()),
    }
}

fn unknown(id: &str) -> Fault {
    Fault::NotFound(format!(
        "id: no open lane is called `{id}`; ListLanes names those that are"
    ))
}
