//! What `lab-agent analyze` is told.
// SPDX-License-Identifier: Apache-2.0

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use thinlab_trace::Flow;

/// What `lab-agent analyze` is told.
#[derive(Args, Debug)]
pub struct AnalyzeArgs {
    /// Capture (pcap or pcapng) taken where the stream is sent.
    pub(super) sender: PathBuf,
    /// Capture taken where it is received.
    pub(super) receiver: PathBuf,
    /// Print everything as JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// List every packet of both directions in the JSON, too.
    #[arg(long, requires = "json")]
    pub(super) packets: bool,
    /// Which connection, and in which direction: SENDER:PORT-RECEIVER:PORT.
    #[arg(long)]
    pub(super) flow: Option<Flow>,
    /// Whether one clock stamped both captures.
    #[arg(long, value_enum, default_value_t = ClockChoice::Shared)]
    pub(super) clock: ClockChoice,
    /// The stream is made of messages of this size. Without it each packet's
    /// new bytes count as a message.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) message_bytes: Option<u64>,
    /// Where the stream's messages end: a file with rising offsets, one a line.
    #[arg(long, value_name = "FILE", conflicts_with = "message_bytes")]
    pub(super) message_ends: Option<PathBuf>,
    /// Take a capture whose last record is cut short, up to there.
    #[arg(long)]
    pub(super) accept_cut: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ClockChoice {
    /// One clock.
    Shared,
    /// Two clocks: offset and drift are fitted and removed.
    Separate,
}
