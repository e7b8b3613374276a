//! The script's side of the connection: the segments that it sends, and where a
//! sequence number lies in its stream and in the kernel's. No packet goes in or
//! out here.
// SPDX-License-Identifier: Apache-2.0
use anyhow::{Context, Result, bail};

use crate::clock;
use crate::packet::{Options, Segment, flag};
use crate::script::{self, Expected, Injected, Instant, milliseconds};
use crate::stream;

/// The kernel's, where it listens.
pub const NEAR_PORT: u16 = 5000;
/// The peer's.
pub const FAR_PORT: u16 = 7000;
const ISN: u32 = 0x2000_0000;
/// Where its timestamps begin; they count milliseconds.
const FIRST_TIMESTAMP: u32 = 1000;
const NS_PER_MS: i64 = 1_000_000;

/// See the module.
pub struct Peer<'a> {
    /// How it presents itself.
    pub presented: &'a script::Peer,
    near_port: u16,
    kernel_isn: u32,
    /// Bytes of its stream sent so far; a FIN counts one.
    sent: i64,
    /// Highest byte of the kernel's stream that it has acknowledged.
    acknowledged: u32,
    /// What its next timestamp echoes (RFC 7323).
    echo: u32,
    /// Timestamps of the kernel's segments, by time.
    stamps: Vec<(Instant, u32)>,
}

impl<'a> Peer<'a> {
    /// As the script has it present itself.
    pub fn new(presented: &'a script::Peer) -> Self {
        Self {
            presented,
            near_port: NEAR_PORT,
            kernel_isn: 0,
            sent: 0,
            acknowledged: 0,
            echo: 0,
            stamps: Vec::new(),
        }
    }

    /// Learns from the kernel's SYN or SYN/ACK where its stream begins.
    ///
    /// # Errors
    /// When the kernel does not offer what the script wants to use.
    pub fn meet(&mut self, opening: &Segment) -> Result<()> {
        self.kernel_isn = opening.sequence;
        self.acknowledged = self.in_kernel_stream(0);
        self.near_port = opening.from_port;
        self.echo = opening.options.timestamps.map_or(0, |(value, _)| value);
        if self.presented.sack && !opening.options.sack_permitted {
            bail!("the kernel does not permit SACK: sysctl tcp_sack 1, or peer no-sack");
        }
        if self.presented.timestamps && opening.options.timestamps.is_none() {
            bail!("the kernel does not offer timestamps: sysctl tcp_timestamps 1");
        }
        Ok(())
    }

    /// Its SYN or SYN/ACK.
    pub fn opening(&self, flags: u8, acknowledgement: u32) -> Segment {
        let mut segment = self.segment(flags, 0, acknowledgement);
        segment.sequence = ISN;
        // Never scaled in a SYN.
        segment.window = self.presented.window.min(65535) as u16;
        segment.options.mss = Some(self.presented.mss);
        segment.options.window_scale = self.presented.window_scale;
        segment.options.sack_permitted = self.presented.sack;
        segment
    }

    /// One of its segments, complete but for what a script adds.
    pub fn segment(&self, flags: u8, offset: i64, acknowledgement: u32) -> Segment {
        Segment {
            from_port: FAR_PORT,
            to_port: self.near_port,
            sequence: ISN.wrapping_add(1).wrapping_add(offset as u32),
            acknowledgement,
            flags,
            window: self.window_field(self.presented.window),
            options: Options {
                timestamps: self.presented.timestamps.then(|| (timestamp(), self.echo)),
                ..Options::default()
            },
            ..Segment::default()
        }
    }

    fn window_field(&self, bytes: u32) -> u16 {
        let shift = self.presented.window_scale.unwrap_or(0);
        (bytes >> shift).min(65535) as u16
    }

    /// Sends what a line says; an echo names its segment by a time that may be
    /// off by `within_ns`.
    pub fn send(&mut self, injected: &Injected, within_ns: i64) -> Result<Segment> {
        let acknowledgement = self.in_kernel_stream(injected.acknowledgement);
        let (from, to) = injected.data.unwrap_or((self.sent, self.sent));
        let mut segment = self.segment(flag::ACK | injected.flags, from, acknowledgement);
        segment.payload = stream::bytes_at(from as u64, (to - from) as usize);
        segment.ecn = injected.ecn;
        if let Some(window) = injected.window {
            segment.window = self.window_field(window);
        }
        let sack = injected.sack.iter();
        segment.options.sack = sack
            .map(|&(from, to)| (self.in_kernel_stream(from), self.in_kernel_stream(to)))
            .collect();
        if let (Some(echo), Some(stamps)) = (injected.echo, &mut segment.options.timestamps) {
            stamps.1 = self.stamp_of(echo, within_ns)?;
        }
        if acknowledgement.wrapping_sub(self.acknowledged) as i32 > 0 {
            self.acknowledged = acknowledgement;
        }
        let end = to + i64::from(injected.flags & flag::FIN != 0);
        self.sent = self.sent.max(end);
        Ok(segment)
    }

    /// The timestamp of the segment that was sent at `time`.
    fn stamp_of(&self, time: Instant, within_ns: i64) -> Result<u32> {
        self.stamps
            .iter()
            .find(|(sent, _)| (sent - time).abs() <= within_ns)
            .map(|&(_, value)| value)
            .with_context(|| format!("no segment with a timestamp at {}", milliseconds(time)))
    }

    /// Takes note of the timestamp of a segment that the kernel sent.
    pub fn hear(&mut self, at: Instant, segment: &Segment) {
        let Some((value, _)) = segment.options.timestamps else {
            return;
        };
        self.stamps.push((at, value));
        let early = segment.sequence.wrapping_sub(self.acknowledged) as i32 <= 0;
        if early && value.wrapping_sub(self.echo) as i32 >= 0 {
            self.echo = value;
        }
    }

    /// Whether all segments carry timestamps.
    pub fn uses_timestamps(&self) -> bool {
        self.presented.timestamps
    }

    /// What a line wants the kernel to acknowledge.
    pub fn acknowledgement_of(&self, expected: &Expected) -> i64 {
        expected.acknowledgement.unwrap_or(self.sent)
    }

    /// The sequence number of a byte of the kernel's stream.
    pub fn in_kernel_stream(&self, offset: i64) -> u32 {
        self.kernel_isn.wrapping_add(1).wrapping_add(offset as u32)
    }

    /// Where a sequence number lies in the kernel's stream.
    pub fn offset_of_kernel(&self, sequence: u32) -> i64 {
        i64::from(sequence.wrapping_sub(self.in_kernel_stream(0)) as i32)
    }
}

/// Where a sequence number lies in the peer's stream.
pub fn offset_of_peer(sequence: u32) -> i64 {
    i64::from(sequence.wrapping_sub(ISN.wrapping_add(1)) as i32)
}

fn timestamp() -> u32 {
    FIRST_TIMESTAMP.wrapping_add((clock::now_ns() / NS_PER_MS) as u32)
}
