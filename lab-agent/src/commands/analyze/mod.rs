//! `lab-agent analyze SENDER [RECEIVER]`: captures of streams to a table, to JSON, and
//! to files of other kinds.
// SPDX-License-Identifier: Apache-2.0

mod arguments;
mod json;
mod many;
mod numbers;
mod one_end;
mod outputs;
mod reading;
mod table;

pub use arguments::AnalyzeArgs;

use anyhow::{Result, bail};
use thinlab_trace::{
    Analysis, Capture, Clock, Connections, Options, at_receiver, at_sender, packets,
};

use arguments::{ClockChoice, EndChoice, FlowChoice};
use json::{as_json, messages_json, packet_json};
use reading::read;
use table::as_table;

/// Reads, analyses, prints to standard output; remarks go to standard error.
pub fn run(args: &AnalyzeArgs) -> Result<()> {
    check_outputs(args)?;
    let sender = read(&args.sender, args)?;
    let Some(receiver) = &args.receiver else {
        return one_capture(args, &sender);
    };
    let mut receiver = read(receiver, args)?;
    if !args.nat.is_empty() {
        receiver = receiver.behind(&args.nat, &sender);
    }
    let options = Options {
        flow: args.flow.map(|choice| choice.flow),
        clock: match args.clock {
            ClockChoice::Shared => Clock::Shared,
            ClockChoice::Separate => Clock::Separate,
        },
        message_ends: args
            .message_ends
            .as_deref()
            .map(|file| numbers::read(file, "stream offset"))
            .transpose()?,
    };
    if args.flow.is_none() {
        let connections = Connections::of(&sender, &receiver);
        if connections.in_both.len() > 1 {
            if args.packets
                || args.outputs.any()
                || args.message_bytes.is_some()
                || args.message_ends.is_some()
            {
                bail!(
                    "the captures hold {} connections: pick one with --flow to list packets, to \
                     write files, or to say what a message is",
                    connections.in_both.len()
                );
            }
            return Ok(many::print(&connections, &options, args.json)?);
        }
    }
    one_connection(args, [&sender, &receiver], options)
}

/// Refuses files that cannot show what is asked, before anything is read.
fn check_outputs(args: &AnalyzeArgs) -> Result<()> {
    if !args.outputs.any() {
        return Ok(());
    }
    let Some(receiver) = &args.receiver else {
        bail!("files show both ends of a stream: give the receiver's capture as well");
    };
    if args.flow.is_some_and(|choice| choice.incarnation.is_some()) {
        bail!(
            "files cannot be written of one connection among several between the same ports: cut \
             the captures so that they hold this one alone"
        );
    }
    if args.mss.is_some() && args.outputs.comments() {
        bail!("a packet that --mss cuts apart has no one comment: leave --mss out");
    }
    args.outputs.check([&args.sender, receiver])
}

fn one_connection(args: &AnalyzeArgs, captures: [&Capture; 2], mut options: Options) -> Result<()> {
    let mut analysis = analyze(args.flow, captures, &options)?;
    if let Some(bytes) = args.message_bytes {
        let sent = analysis.ranges.last().map_or(0, |range| range.end);
        options.message_ends = Some((1..=sent / bytes).map(|count| count * bytes).collect());
        analysis = analyze(args.flow, captures, &options)?;
    }
    if let Some(receiver) = args.receiver.as_ref().filter(|_| args.outputs.any()) {
        let paths = [args.sender.as_path(), receiver.as_path()];
        args.outputs.write(paths, captures, &analysis)?;
    }
    if args.json {
        let mut whole = as_json(&analysis);
        whole["messages"] = messages_json(&analysis);
        if args.packets {
            let passages = packets(captures[0], captures[1], Some(analysis.flow))?;
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

fn analyze(
    choice: Option<FlowChoice>,
    [sender, receiver]: [&Capture; 2],
    options: &Options,
) -> Result<Analysis> {
    if let Some((flow, number)) = choice.and_then(|choice| Some((choice.flow, choice.incarnation?)))
    {
        let connections = Connections::of(sender, receiver);
        let Some(which) = connections.find(&flow, number) else {
            bail!("flow {flow}#{number} is not in both captures");
        };
        return Ok(connections.analyze_flow(which, flow, options)?);
    }
    Ok(thinlab_trace::analyze(sender, receiver, options)?)
}

fn one_capture(args: &AnalyzeArgs, capture: &Capture) -> Result<()> {
    let flow = args.flow.map(|choice| choice.flow);
    let (value, table) = match args.at {
        EndChoice::Sender => {
            let told = at_sender(capture, flow)?;
            (one_end::sender_json(&told), one_end::sender_table(&told))
        }
        EndChoice::Receiver => {
            let told = at_receiver(capture, flow)?;
            (
                one_end::receiver_json(&told),
                one_end::receiver_table(&told),
            )
        }
    };
    if args.json {
        println!("{}", serde_json::to_string_pretty(&value)?);
    } else {
        print!("{table}");
    }
    Ok(())
}
