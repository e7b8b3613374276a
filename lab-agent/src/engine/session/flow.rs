//! A flow under way: a connection over a lane, and both halves of its stream.
// SPDX-License-Identifier: Apache-2.0
use std::ops::Range;

use lab_proto::guest::{TransferFlow, TransferredFlow};

use super::receiving::Receiving;
use super::sending::Sending;
use crate::endpoint::connection::{Connection, Which};
use crate::endpoint::tcp_info;
use crate::fault::Outcome;
use crate::lane::Lane;
use crate::lane::protocol::Protocol;

/// See the module.
pub struct Flow<'a> {
    /// Of its lane.
    pub lane: usize,
    /// Both of its sockets.
    pub connection: Connection,
    /// What is to be written.
    pub sending: Sending<'a>,
    /// What is to be read.
    pub receiving: Receiving<'a>,
    /// Whether damage that the checksum lets through is a result.
    may_change: bool,
    acknowledged_ns: Option<u64>,
    told_bytes: u64,
    /// Changed, and not told.
    untold_bytes: u64,
}

impl<'a> Flow<'a> {
    /// Opens its connection, the `number`th of the lane.
    pub fn open(
        lane: &Lane,
        of_lane: usize,
        number: usize,
        flow: &'a TransferFlow,
        may_change: bool,
    ) -> Outcome<Self> {
        let which = Which {
            number: number as u16,
            backward: flow.backward,
        };
        let connection = Connection::open(lane, which)?;
        Ok(Self::over(connection, of_lane, flow, may_change))
    }

    /// The other way over its connection.
    pub fn back(&self, flow: &'a TransferFlow) -> Outcome<Self> {
        let connection = self.connection.turned()?;
        Ok(Self::over(connection, self.lane, flow, self.may_change))
    }

    fn over(connection: Connection, lane: usize, flow: &'a TransferFlow, may_change: bool) -> Self {
        Self {
            lane,
            sending: Sending::new(flow),
            receiving: if connection.protocol().is_of_datagrams() {
                Receiving::of_datagrams(flow)
            } else {
                Receiving::new(flow)
            },
            connection,
            may_change,
            acknowledged_ns: None,
            told_bytes: 0,
            untold_bytes: 0,
        }
    }

    /// Writes the messages whose time has come.
    pub fn write_due(&mut self, now: u64) -> Outcome<()> {
        let connection = &self.connection;
        self.sending.write_due(now, |bytes| connection.write(bytes))
    }

    /// Writes what had no room before.
    pub fn write(&mut self) -> Outcome<()> {
        let connection = &self.connection;
        self.sending.write(|bytes| connection.write(bytes))
    }

    /// Takes what was read, at its place in the stream, or after what was read before; `told` is
    /// what of it may be wrong.
    ///
    /// # Errors
    /// `Failed` when bytes arrived changed over a path that damages none.
    pub fn take(
        &mut self,
        offset: Option<u32>,
        bytes: &[u8],
        told: &[Range<usize>],
        now: u64,
    ) -> Outcome<()> {
        let before = self.receiving.read_bytes();
        let changed_before = self.receiving.changed().len();
        self.receiving.take(offset, bytes, now);
        let place = offset.map_or(before, u64::from);
        let is_told = |at: u64| {
            told.iter()
                .any(|range| range.contains(&((at - place) as usize)))
        };
        let changed = &self.receiving.changed()[changed_before..];
        self.untold_bytes += changed.iter().filter(|(at, _)| !is_told(*at)).count() as u64;
        self.told_bytes += told.iter().map(|range| range.len() as u64).sum::<u64>();
        if self.may_change {
            return Ok(());
        }
        let place = || format!(" after byte {before} of the stream");
        self.receiving.want_unchanged(place)
    }

    /// Whether all of it was read.
    pub fn is_whole(&self) -> bool {
        self.receiving.missing_bytes() == 0
    }

    /// Whether its messages may be lost: then nobody knows which are still to come.
    pub fn is_lossy(&self) -> bool {
        self.connection.protocol().is_of_datagrams()
    }

    /// Whether it is read to its end or, where messages may be lost, written to it.
    pub fn is_over(&self) -> bool {
        if self.is_lossy() {
            self.sending.is_over()
        } else {
            self.is_whole()
        }
    }

    /// Whether all of it was read, and the writer does not know yet.
    pub fn waits_for_acknowledgement(&self) -> bool {
        !self.is_lossy() && self.is_whole() && self.acknowledged_ns.is_none()
    }

    /// Looks whether the writer knows that all of it has arrived.
    pub fn look(&mut self, now: u64) -> Outcome<()> {
        if self.waits_for_acknowledgement() && self.connection.is_acknowledged()? {
            self.acknowledged_ns = Some(now);
        }
        Ok(())
    }

    /// What became of it.
    pub fn finish(self) -> Outcome<TransferredFlow> {
        let ends_ns = [
            self.sending.written_ns.iter().max(),
            self.receiving.available_ns.iter().max(),
        ];
        let last_ns = ends_ns.into_iter().flatten().max().copied();
        let is_lossy = self.is_lossy();
        let mut changed = self.receiving.changed().to_vec();
        changed.sort_unstable_by_key(|(at, _)| *at);
        Ok(TransferredFlow {
            changed_at: changed.iter().map(|(at, _)| *at).collect(),
            changed_to: changed.iter().map(|(_, to)| *to).collect(),
            told_bytes: self.told_bytes,
            untold_bytes: self.untold_bytes,
            tcp_info: match self.connection.protocol() {
                Protocol::Tcp => Some(tcp_info::read(&self.connection.sender)?),
                Protocol::Sctp | Protocol::Udp | Protocol::UdpLite => None,
            },
            sctp_info: self.connection.sctp_info()?,
            changed_bytes: self.receiving.changed_bytes(),
            written_ns: self.sending.written_ns,
            came: self.receiving.came,
            available_ns: self.receiving.available_ns,
            blocked_writes: self.sending.blocked_writes,
            stream_ns: if is_lossy {
                last_ns.unwrap_or_default()
            } else {
                self.acknowledged_ns.unwrap_or_default()
            },
        })
    }
}
