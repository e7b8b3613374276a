//! Trace analysis: two captures of one TCP connection, SCTP association or flow of datagrams,
//! taken at its two ends, to the latency of every byte, what was sent twice, and what the path lost.
//!
//! For byte *b* of the stream: S is its first transmission, A the first arrival
//! of any segment holding it, I the moment it and all before it had arrived.
//! Transport latency is A − S, application latency I − S. `docs/trace.md` has
//! the definitions in full.
//!
//! Pure: bytes in, figures out. No file, no clock, no randomness.
//!
//! ```
//! use thinlab_trace::golden::{Fate, FileFormat, Intent, Script};
//! use thinlab_trace::{Options, analyze, read_capture};
//!
//! // The first message is lost and comes back bundled in front of the second.
//! const MS: u64 = 1_000_000;
//! let mut script = Script::new();
//! script.data(1_000 * MS, Intent::New, 0..120, Fate::Lost);
//! script.data(1_140 * MS, Intent::Bundle { new_from: 120 }, 0..240, Fate::arrives(65 * MS));
//! let files = script.run().files(&FileFormat::default());
//!
//! let sender = read_capture(&files.sender)?;
//! let receiver = read_capture(&files.receiver)?;
//! let analysis = analyze(&sender, &receiver, &Options::default())?;
//! let application = analysis.metrics.application.as_ref().and_then(|of| of.per_byte.as_ref()).unwrap();
//! assert_eq!((application.min_us, application.max_us), (65_000.0, 205_000.0));
//! assert_eq!(analysis.metrics.retransmitted_bytes, 0, "a bundle is no retransmission");
//! assert_eq!(analysis.traffic.bundle_hit_bytes, 120);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
// SPDX-License-Identifier: Apache-2.0
#![forbid(unsafe_code)]
// Offsets and instants stay far below 2^63.
#![allow(clippy::cast_possible_wrap)]

mod accepted;
mod alike;
mod analysis;
mod capture;
mod clock;
mod connections;
mod copies;
mod coverage;
mod curve;
mod damage;
mod datagrams;
mod distribution;
mod error;
mod felt;
mod flow;
pub mod golden;
pub mod keystroke;
mod late;
mod leaf;
mod message;
mod metrics;
mod nat;
mod one_end;
mod ordinal;
mod packed;
mod packets;
mod pairing;
mod passing;
mod radix;
mod ranges;
mod read;
mod receiving;
mod record;
mod recoveries;
mod sctp;
mod sending;
mod set_back;
mod spurious;
mod steady;
mod step;
mod stepping;
mod summary;
mod throughput;
mod tracker;
mod traffic;
mod twins;
mod unwrap;
mod warning;
mod watch;
mod whole;
mod writes;

pub use accepted::accept_damaged;
pub use analysis::{Analysis, Clock, Options, analyze};
pub use capture::{Capture, Checksum, Connection, Flags, Packet, Protocol, Skipped};
pub use clock::ClockRelation;
pub use connections::{Connections, InBoth, Incarnation};
pub use copies::Departures;
pub use distribution::{Sample, distribution};
pub use error::{AnalyzeError, Direction, End, FlowSummary};
pub use felt::{Felt, felt, felt_answers};
pub use flow::{Flow, FlowSyntax};
pub use message::MessageLatency;
pub use nat::{Nat, NatSyntax};
pub use one_end::{AtReceiver, AtSender, at_receiver, at_sender};
pub use packets::{PacketKind, PacketPassage, packets};
pub use pairing::DirectionCount;
pub use passing::{Census, Told, summarize};
pub use ranges::DeliveredRange;
pub use read::{
    CutCapture, ReadError, Reading, headers_bytes, read_capture, read_capture_as, read_cut_capture,
};
pub use record::{PacketRecord, RecordedChunk, Records, Stray, StrayKind, records};
pub use recoveries::Recoveries;
pub use sctp::{Chunk, ChunkCopy, ChunkKind, Data, Sack};
pub use step::{ClockStep, SetClock, Unclear};
pub use summary::Summary;
pub use throughput::throughput;
pub use traffic::Traffic;
pub use warning::Warning;
pub use watch::{Messages, News, Watch, WatchOptions};
pub use writes::{Conversation, Write, conversations};
