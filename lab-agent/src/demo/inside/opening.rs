//! The beginning of a take: lanes that are calm, connections over them, and
//! then, all at once, what was asked for. So every lane's first packets are the
//! same, and its randomness begins with the stream.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::DemoStart;
use lab_proto::guest::demo_report::Report;
use lab_proto::{LaneSpec, SessionProgress};

use super::lanes::{Lanes, of_lane};
use super::packets::Packets;
use super::stream::{Stream, close_at_once};
use super::take::{Side, Take};
use super::{Outlet, change, send};
use crate::fault::{Doing, Fault, Outcome};
use crate::guest::waiting::blocking;
use crate::lane::{Lane, calm};
use crate::stream::connection::Connection;

/// What a guest's processor and a person's eyes can follow.
const MOST_LANES: usize = 4;

/// Opens a take; it runs from the return on.
pub async fn open(start: &DemoStart, reports: &Outlet) -> Outcome<Take> {
    change::check_start(&start.lanes, MOST_LANES)?;
    if start.terminal.is_some() {
        return Err(Fault::Unsupported("terminal is not there yet".into()));
    }
    stage(reports, "lane").await?;
    // Side by side: each waits for a round trip of its own.
    let opening: Vec<_> = start
        .lanes
        .iter()
        .enumerate()
        .map(|(number, whole)| {
            let spec = calm(whole);
            let open = move || Opened::open(spec).map_err(|fault| of_lane(number, fault));
            tokio::spawn(blocking(open))
        })
        .collect();
    let (mut made, mut ends) = (Vec::new(), Vec::new());
    for opened in opening {
        let opened = opened.await;
        let opened = opened.map_err(|error| Fault::Failed(format!("{error} while opening")))??;
        made.push((opened.lane, opened.spec));
        ends.push((opened.packets, opened.connection));
    }
    let lanes = Lanes::new(made);
    let mut sides = Vec::new();
    for (number, (packets, connection)) in ends.into_iter().enumerate() {
        let stream = Stream::new(connection)?;
        let mut sockets = Vec::new();
        for socket in stream.sockets() {
            close_at_once(socket)?;
            sockets.push(socket.try_clone_to_owned().doing("copying a socket")?);
        }
        lanes.connected(number, sockets);
        sides.push(Side::new(packets, stream));
    }
    let (changing, whole) = (lanes.clone(), numbered(&start.lanes));
    blocking(move || changing.change(&whole)).await?;
    Ok(Take::new(lanes, sides))
}

struct Opened {
    lane: Lane,
    spec: LaneSpec,
    packets: Packets,
    connection: Connection,
}

impl Opened {
    fn open(spec: LaneSpec) -> Outcome<Self> {
        let lane = Lane::open(&spec)?;
        let packets = Packets::open(&lane)?;
        let connection = Connection::open(&lane)?;
        Ok(Self {
            lane,
            spec,
            packets,
            connection,
        })
    }
}

fn numbered(specs: &[LaneSpec]) -> Vec<(usize, LaneSpec)> {
    specs.iter().cloned().enumerate().collect()
}

async fn stage(reports: &Outlet, stage: &str) -> Outcome<()> {
    let progress = SessionProgress {
        stage: stage.into(),
        share: 0.0,
    };
    send(reports, Report::Progress(progress)).await
}
