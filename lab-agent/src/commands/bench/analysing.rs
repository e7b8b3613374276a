//! How many packets a second the analysis of files reads and tells all about, and how
//! many other tools read of the same file.
// SPDX-License-Identifier: Apache-2.0
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use thinlab_trace::golden::{Container, FileFormat, Trace};
use thinlab_trace::{Options, analyze, read_capture, summarize};

use super::figure::Figure;
use super::watching;
use crate::commands::mapped::Mapped;
use crate::fault::{Fault, Outcome};

/// As [`thinlab_trace::golden::bulk`] makes them: four captured packets each.
const MESSAGES: u64 = 250_000;
/// Of each time the shortest of so many.
const RUNS: usize = 5;

/// What is compared with: its name, and what it is asked for.
const TOOLS: [(&str, &[&str]); 2] = [
    ("tcptrace", &["-n", "-l", "-r"]),
    ("tshark", &["-n", "-q", "-z", "conv,tcp", "-r"]),
];

/// Of files in a folder that is gone afterwards.
pub fn figures() -> Outcome<Vec<Figure>> {
    let failed = |error: io::Error| Fault::Failed(format!("captures to measure with: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let paths = [
        folder.path().join("sender.pcap"),
        folder.path().join("receiver.pcap"),
    ];
    let packets = {
        let trace = Trace {
            frames: watching::frames(MESSAGES),
            resolution_ns: 1_000,
            truth: thinlab_trace::golden::Truth::default(),
        };
        let format = FileFormat {
            container: Container::Pcap,
            ..FileFormat::default()
        };
        let pair = trace.files(&format);
        std::fs::write(&paths[0], pair.sender).map_err(failed)?;
        std::fs::write(&paths[1], pair.receiver).map_err(failed)?;
        trace.frames.len()
    };
    let open = || -> io::Result<_> { Ok([Mapped::open(&paths[0])?, Mapped::open(&paths[1])?]) };
    let own = shortest(|| {
        let [sender, receiver] = open()?;
        let told = summarize(&sender, &receiver, &Options::default());
        let told = told.ok_or_else(|| io::Error::other("these files have a summary"))?;
        std::hint::black_box(told);
        Ok(())
    })
    .map_err(failed)?;
    let mut at_sender = 0;
    let whole = shortest(|| {
        let [sender, receiver] = open()?;
        let [sender, receiver] =
            [&sender, &receiver].map(|file| read_capture(file).map_err(io::Error::other));
        let (sender, receiver) = (sender?, receiver?);
        at_sender = sender.packets.len();
        let told = analyze(&sender, &receiver, &Options::default()).map_err(io::Error::other)?;
        std::hint::black_box(told);
        Ok(())
    })
    .map_err(failed)?;
    let own = packets as f64 / own;
    let what = format!(
        "packets of two files of one connection ({packets}, a message of 120 bytes in every other one, 2 % \
         lost, stamped in µs) read and analysed on one core"
    );
    let mut figures = vec![
        Figure {
            name: "analysis_packets_per_second",
            value: own,
            unit: "1/s",
            how: format!("{what}, every figure and curve; shortest of {RUNS}"),
        },
        Figure {
            name: "analysis_with_messages_packets_per_second",
            value: packets as f64 / whole,
            unit: "1/s",
            how: format!(
                "{what}, every message and range of bytes as well, which keeps all packets in memory; \
                 shortest of {RUNS}"
            ),
        },
    ];
    for ((tool, arguments), name) in TOOLS
        .into_iter()
        .zip(["analysis_vs_tcptrace", "analysis_vs_tshark"])
    {
        let seconds = shortest(|| run(tool, arguments, &paths[0]));
        let said = format!("`{tool} {} FILE`", arguments.join(" "));
        let (value, how) = match seconds {
            Ok(seconds) => (
                own * seconds / at_sender as f64,
                format!("packets a second against {said} of the sender's file alone"),
            ),
            Err(error) => (
                0.0,
                format!("{said} could not be run ({error}): install {tool}"),
            ),
        };
        figures.push(Figure {
            name,
            value,
            unit: "x",
            how,
        });
    }
    Ok(figures)
}

fn run(tool: &str, arguments: &[&str], file: &Path) -> io::Result<()> {
    let mut command = Command::new(tool);
    command.args(arguments).arg(file).stdin(Stdio::null());
    let status = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("it ended with {status}")))
}

fn shortest(mut once: impl FnMut() -> io::Result<()>) -> io::Result<f64> {
    let mut seconds = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        once()?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    Ok(seconds)
}
