//! What `lab-agent analyze` is told.
// SPDX-License-Identifier: Apache-2.0

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use thinlab_trace::{Flow, FlowSyntax, Nat};

use super::outputs::Outputs;

const EXAMPLES: &str = "\
Examples:
  A summary, and a page to look at:
    lab-agent analyze sender.pcapng receiver.pcapng --html stream.html
  Pictures and curves for a paper, of a stream of 120-byte messages:
    lab-agent analyze sender.pcapng receiver.pcapng --message-bytes 120 --plots figures --cdfs figures
  Half a second of it as a ladder:
    lab-agent analyze sender.pcapng receiver.pcapng --between 12..12.5 --plots figures
  What each packet was, in Wireshark:
    lab-agent analyze sender.pcapng receiver.pcapng --comment-sender commented.pcapng
    tshark -r commented.pcapng -Y frame.comment -T fields -e frame.number -e frame.comment
  Everything for a script, from the captures of two machines:
    lab-agent analyze a.pcap b.pcap --clock separate --json --packets
  Rows for pandas, DuckDB or R:
    lab-agent analyze sender.pcapng receiver.pcapng --parquet tables

Figures go to standard output, warnings to standard error. Files appear whole, by renaming, and replace what had
their names; when one cannot be written, none is. docs/trace.md defines every figure.";

/// Tell latency, loss and redundancy of a TCP or SCTP stream from captures at both of its ends.
///
/// Both captures hold one connection: what left and never arrived was lost, and
/// how long every byte took is the difference of its two stamps. A summary is
/// printed; other outputs are files.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct AnalyzeArgs {
    /// Capture (pcap or pcapng) taken where the stream is sent.
    pub(super) sender: PathBuf,
    /// Capture taken where it is received. Without it, what one capture tells.
    pub(super) receiver: Option<PathBuf>,
    /// Of a single capture: where it was taken.
    #[arg(long, value_enum, default_value_t = EndChoice::Sender, conflicts_with = "receiver")]
    pub(super) at: EndChoice,
    /// Print everything as JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// List every packet of both directions in the JSON, too.
    #[arg(long, requires_all = ["json", "receiver"])]
    pub(super) packets: bool,
    /// Which connection, and in which direction: SENDER:PORT-RECEIVER:PORT. Of several
    /// between the same ports one after the other, #1 behind it is the first.
    #[arg(long)]
    pub(super) flow: Option<FlowChoice>,
    /// Whether one clock stamped both captures.
    #[arg(long, value_enum, default_value_t = ClockChoice::Shared)]
    pub(super) clock: ClockChoice,
    /// The stream is made of messages of this size. Without it each packet's
    /// new bytes count as a message; SCTP has messages of its own.
    #[arg(long, value_name = "BYTES", requires = "receiver",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) message_bytes: Option<u64>,
    /// Where the stream's messages end: a file with rising offsets, one a line.
    #[arg(
        long,
        value_name = "FILE",
        requires = "receiver",
        conflicts_with = "message_bytes"
    )]
    pub(super) message_ends: Option<PathBuf>,
    /// Take a capture whose last record is cut short, up to there.
    #[arg(long)]
    pub(super) accept_cut: bool,
    /// An address that a NAT in between rewrites: as the sender's capture has it, and as
    /// the receiver's has it. May be given several times.
    #[arg(long, value_name = "INSIDE=OUTSIDE", requires = "receiver")]
    pub(super) nat: Vec<Nat>,
    /// What the receiver does with segments whose payload was damaged. As TCP Lite takes them,
    /// those that it can have taken count as arrived.
    #[arg(long, value_enum, default_value_t = DamageChoice::ThrownAway, requires = "receiver")]
    pub(super) damage: DamageChoice,
    /// Cut larger TCP segments apart, as a network card does: the connection's maximum
    /// segment size, as its SYN offers it.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u16).range(88..))]
    pub(super) mss: Option<u16>,
    #[command(flatten)]
    pub(super) outputs: Outputs,
}

/// A connection that the user names.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowChoice {
    pub flow: Flow,
    /// Of those between the same ports, from 1.
    pub incarnation: Option<u32>,
}

impl FromStr for FlowChoice {
    type Err = FlowSyntax;

    fn from_str(text: &str) -> Result<Self, FlowSyntax> {
        let (flow, number) = match text.rsplit_once('#') {
            Some((flow, number)) => (flow, Some(number)),
            None => (text, None),
        };
        let number = number.map(str::parse).transpose();
        Ok(Self {
            flow: flow.parse()?,
            incarnation: number.map_err(|_| FlowSyntax::of(text))?,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DamageChoice {
    ThrownAway,
    Taken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EndChoice {
    /// Where the stream is sent.
    Sender,
    /// Where it is received.
    Receiver,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ClockChoice {
    /// One clock.
    Shared,
    /// Two clocks: offset and drift are fitted and removed.
    Separate,
}
