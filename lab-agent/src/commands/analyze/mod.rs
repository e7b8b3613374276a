//! `lab-agent analyze SENDER RECEIVER`: two captures of one stream to a table,
//! or to JSON.
// SPDX-License-Identifier: Apache-2.0

mod arguments;
mod json;
mod reading;
mod table;

pub use arguments::AnalyzeArgs;

use anyhow::Result;
use thinlab_trace::{Clock, Options};

use arguments::ClockChoice;
use json::{as_json, packet_json};
use reading::{offsets, read};
use table::as_table;

/// Reads, analyses, prints to standard output; remarks go to standard error.
pub fn run(args: &AnalyzeArgs) -> Result<()> {
    let sender = read(&args.sender, args.accept_cut)?;
    let receiver = read(&args.receiver, args.accept_cut)?;
    let mut options = Options {
        flow: args.flow,
        clock: match args.clock {
            ClockChoice::Shared => Clock::Shared,
            ClockChoice::Separate => Clock::Separate,
        },
        message_ends: args.message_ends.as_deref().map(offsets).transpose()?,
    };
    let mut analysis = thinlab_trace::analyze(&sender, &receiver, &options)?;
    if let Some(bytes) = args.message_bytes {
        let sent = analysis.ranges.last().map_or(0, |range| range.end);
        options.message_ends = Some((1..=sent / bytes).map(|count| count * bytes).collect());
        analysis = thinlab_trace::analyze(&sender, &receiver, &options)?;
    }
    if args.json {
        let mut whole = as_json(&analysis);
        if args.packets {
            let passages = thinlab_trace::packets(&sender, &receiver, Some(analysis.flow))?;
            whole["packets"] = passages.iter().map(packet_json).collect();
        }
        println!("{}", serde_json::to_string_pretty(&whole)?);
    } else {
        print!("{}", as_table(&analysis, args.clock));
    }
    for warning in &analysis.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(())
}
