//! The commands `lab-agent stream of` and `lab-agent stream draw`: a capture as a
//! stream that can be sent again, and a described stream as its messages.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::io::{BufWriter, Read as _, Write as _, stdin, stdout};
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Subcommand;
use lab_proto::Stream;
use prost::Message as _;
use serde::Serialize;
use thinlab_trace::{Conversation, Write, conversations, read_cut_capture};

use crate::fault::{Doing, Fault, Outcome, invalid};
use crate::source;

/// What a capture says applications wrote, or what a stream would send.
#[derive(Subcommand)]
pub enum StreamCommand {
    /// Prints what the applications of a capture wrote (pcap or pcapng, wherever it was taken), as
    /// JSON that an experiment can replay: each TCP connection, both ways, sizes and times only.
    Of {
        /// The capture.
        capture: PathBuf,
    },
    /// Prints the messages of a stream (a `Stream` of lab.proto on standard input, in bytes of
    /// protobuf): when each is due and how long it is, as CSV.
    Draw {
        /// As a lane's.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

impl StreamCommand {
    /// Reads, works out, prints.
    pub fn run(&self) -> Outcome<()> {
        match self {
            Self::Of { capture } => of(capture),
            Self::Draw { seed } => draw(*seed),
        }
    }
}

/// What an experiment file names.
#[derive(Serialize)]
struct Replay {
    connections: Vec<Connection>,
}

#[derive(Serialize)]
struct Connection {
    client: SocketAddr,
    server: SocketAddr,
    there: Vec<Sent>,
    back: Vec<Sent>,
}

/// A write, counted from the first one of all connections.
#[derive(Serialize)]
struct Sent {
    at_ns: u64,
    bytes: u64,
}

fn of(file: &PathBuf) -> Outcome<()> {
    let bytes = fs::read(file).doing(format!("reading {}", file.display()))?;
    let read = read_cut_capture(&bytes)
        .map_err(|error| Fault::Invalid(format!("{}: {error}", file.display())))?;
    if let Some(cut) = read.cut {
        eprintln!("warning: {}: {cut}", file.display());
    }
    let all = conversations(&read.capture);
    let begins = |one: &Conversation| one.there.iter().chain(&one.back).map(|it| it.at_ns).min();
    let Some(begins_ns) = all.iter().filter_map(begins).min() else {
        return invalid(format!(
            "{} has no TCP connection with data: capture one",
            file.display()
        ));
    };
    let sent = |writes: &[Write]| {
        let sent = writes.iter().map(|write| Sent {
            // A capture's clock may have been set back.
            at_ns: (write.at_ns - begins_ns).max(0) as u64,
            bytes: write.bytes,
        });
        sent.collect()
    };
    let connections = all.iter().map(|one| Connection {
        client: one.client,
        server: one.server,
        there: sent(&one.there),
        back: sent(&one.back),
    });
    let replay = Replay {
        connections: connections.collect(),
    };
    let text = serde_json::to_string(&replay)
        .map_err(|error| Fault::Failed(format!("{error} while writing the stream")))?;
    writeln!(stdout(), "{text}").doing("writing the stream")
}

fn draw(seed: u64) -> Outcome<()> {
    let mut bytes = Vec::new();
    stdin()
        .read_to_end(&mut bytes)
        .doing("reading the stream")?;
    let stream = Stream::decode(&bytes[..])
        .map_err(|error| Fault::Invalid(format!("standard input is no Stream: {error}")))?;
    let messages = source::messages(stream.kind.as_ref(), seed)?;
    let mut out = BufWriter::new(stdout().lock());
    writeln!(out, "at_ns,bytes").doing("writing the messages")?;
    for message in messages {
        writeln!(out, "{},{}", message.at_ns, message.bytes.len()).doing("writing the messages")?;
    }
    out.flush().doing("writing the messages")
}
