//! A take of a demo as the backend has it.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lab_proto::live_event::Event;
use lab_proto::live_input::Input;
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    DemoChange, DemoChanged, DemoLaneChange, DemoMoment, DemoOpen, DemoPause, DemoResult,
    DemoSound, FileKind, LaneSpec, LiveEvent, LiveFinish, LiveInput, LiveReady,
};
use tokio::sync::mpsc::Sender;
use tonic::{Status, Streaming};

use crate::agent::Agent;

/// See the module.
pub struct Take {
    inputs: Sender<LiveInput>,
    events: Streaming<LiveEvent>,
    pub ready: LiveReady,
    pub sounds: Vec<DemoSound>,
    pub moments: Vec<DemoMoment>,
    pub changes: Vec<DemoChanged>,
    files: BTreeMap<(u32, i32), Vec<u8>>,
    screens: BTreeMap<u32, Vec<u8>>,
}

impl Take {
    /// Asks for a take, and waits until its lanes are open.
    pub async fn open(agent: &Agent, lanes: Vec<LaneSpec>, stream: Stream) -> Result<Self, Status> {
        let open = DemoOpen {
            lanes,
            stream: Some(stream.into()),
        };
        let (inputs, events) = agent.live(Input::Demo(open)).await?;
        let mut take = Self {
            inputs,
            events,
            ready: LiveReady::default(),
            sounds: Vec::new(),
            moments: Vec::new(),
            changes: Vec::new(),
            files: BTreeMap::new(),
            screens: BTreeMap::new(),
        };
        while take.ready == LiveReady::default() {
            assert!(take.next().await?.is_none(), "over before it was ready");
        }
        Ok(take)
    }

    /// Takes the next event; the result is the last one.
    async fn next(&mut self) -> Result<Option<DemoResult>, Status> {
        let event = self.events.message().await?;
        let LiveEvent { event, lane } = event.expect("a take ends with a result");
        match event.unwrap() {
            Event::Progress(_) => {}
            Event::Screen(screen) => self.screens.entry(lane).or_default().extend(screen.data),
            Event::Ready(ready) => self.ready = ready,
            Event::Changed(changed) => self.changes.push(changed),
            Event::Sound(sound) => self.sounds.push(sound),
            Event::Moment(moment) => self.moments.push(moment),
            Event::File(chunk) => {
                let file = self.files.entry((lane, chunk.kind)).or_default();
                file.extend(chunk.data);
            }
            Event::Demo(result) => return Ok(Some(result)),
            Event::Terminal(_) => panic!("a take ends with a terminal's result"),
        }
        Ok(None)
    }

    /// Takes events until the take is as wanted.
    pub async fn until(&mut self, wanted: impl Fn(&Self) -> bool) -> Result<(), Status> {
        while !wanted(self) {
            assert!(self.next().await?.is_none(), "over before it was as wanted");
        }
        Ok(())
    }

    /// Says something.
    pub async fn say(&self, what: Input) {
        self.inputs.send(input(what)).await.unwrap();
    }

    /// Changes all lanes, and waits until the kernel has taken it.
    pub async fn change(&mut self, lanes: Vec<LaneSpec>) -> DemoChanged {
        let id = self.changes.len() as u32 + 1;
        let lanes = lanes
            .into_iter()
            .enumerate()
            .map(|(lane, spec)| DemoLaneChange {
                lane: lane as u32,
                spec: Some(spec),
            });
        self.say(Input::Change(DemoChange {
            id,
            lanes: lanes.collect(),
        }))
        .await;
        self.until(|take| take.changes.len() as u32 == id)
            .await
            .unwrap();
        self.changes.last().unwrap().clone()
    }

    /// Stops the stream, or lets it go on.
    pub async fn pause(&self, paused: bool) {
        self.say(Input::Pause(DemoPause { paused })).await;
    }

    /// Ends the take as asked.
    pub async fn finish(&mut self) -> Result<DemoResult, Status> {
        self.say(Input::Finish(LiveFinish {})).await;
        loop {
            if let Some(result) = self.next().await? {
                assert!(self.events.message().await?.is_none(), "the result is last");
                return Ok(result);
            }
        }
    }

    /// How many messages a lane's receiver could read so far.
    pub fn passed(&self, lane: usize) -> usize {
        let moments = self.moments.iter();
        moments
            .map(|moment| moment.lanes[lane].messages.len())
            .sum()
    }

    /// Waits until so many more, and one, could be read.
    pub async fn let_pass(&mut self, lane: usize, more: usize) {
        let before = self.passed(lane);
        let is_over = |take: &Self| take.passed(lane) > before + more;
        self.until(is_over).await.unwrap();
    }

    /// Writes a file of a lane, as it came, into a folder.
    pub fn save(&self, folder: &Path, lane: u32, kind: FileKind) -> PathBuf {
        let path = folder.join(format!("lane-{lane}-{}", kind.as_str_name()));
        std::fs::write(&path, &self.files[&(lane, kind as i32)]).unwrap();
        path
    }

    /// All that a lane's terminal was told to show.
    pub fn shown(&self, lane: usize) -> String {
        String::from_utf8_lossy(&self.screens[&(lane as u32)]).into_owned()
    }

    /// A file of a lane, as it came.
    pub fn file(&self, lane: u32, kind: FileKind) -> &[u8] {
        &self.files[&(lane, kind as i32)]
    }
}

fn input(input: Input) -> LiveInput {
    LiveInput { input: Some(input) }
}
