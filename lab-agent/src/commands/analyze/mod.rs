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

use std::cell::OnceCell;

use anyhow::{Result, bail};
use thinlab_trace::{
    Analysis, AnalyzeError, Capture, Census, Clock, Connections, Options, Summary, Told,
    accept_damaged, at_receiver, at_sender, packets, read_capture, records, summarize,
};

use arguments::{ClockChoice, DamageChoice, EndChoice, FlowChoice};
use json::{as_json, messages_json, packet_json, sctp_packet_json};
use many::Printer;
use reading::{bytes, read};
use table::as_table;

/// Reads, analyses, prints to standard output; remarks go to standard error.
pub fn run(args: &AnalyzeArgs) -> Result<()> {
    check_outputs(args)?;
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
    let sender_file = bytes(&args.sender)?;
    let Some(receiver) = &args.receiver else {
        return one_capture(args, &read(&args.sender, &sender_file, args)?);
    };
    let receiver_file = bytes(receiver)?;
    if is_summary_enough(args) {
        let files = [&sender_file[..], &receiver_file[..]];
        let summary = (!args.json).then(|| summarize(files[0], files[1], &options));
        if let Some(summary) = summary.flatten() {
            print_summary(args, &summary);
            return Ok(());
        }
        if args.flow.is_none()
            && args.message_ends.is_none()
            && options.clock == Clock::Shared
            && let Some(census) = Census::of(files[0], files[1])
            && census.in_both.len() > 1
        {
            return many_passing(args, files, &census, &options);
        }
    }
    let sender = read(&args.sender, &sender_file, args)?;
    let mut receiver = read(receiver, &receiver_file, args)?;
    if !args.nat.is_empty() {
        receiver = receiver.behind(&args.nat, &sender);
    }
    if args.damage == DamageChoice::Taken {
        let all = Connections::of(&sender, &receiver).in_both;
        let flows = match args.flow {
            Some(choice) => vec![choice.flow],
            None => all.iter().map(|one| one.first.flow).collect(),
        };
        for flow in flows {
            accept_damaged(&sender, &mut receiver, Some(flow))?;
        }
    }
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
            let mut printer = Printer::new(args.json)?;
            for which in &connections.in_both {
                let told = connections.analyze(which, &options);
                printer.tell(which, told.map(|told| told.summary))?;
            }
            return Ok(printer.end(&connections.in_one)?);
        }
    }
    one_connection(args, [&sender, &receiver], options)
}

/// Prints all connections, of captures that are only read in whole for those that take
/// it.
fn many_passing(
    args: &AnalyzeArgs,
    files: [&[u8]; 2],
    census: &Census,
    options: &Options,
) -> Result<()> {
    let mut printer = Printer::new(args.json)?;
    let mut outcome = Ok(());
    let captures = OnceCell::new();
    let connections = OnceCell::new();
    census.summarize(|which, told| {
        if outcome.is_err() {
            return;
        }
        let told = match told {
            Told::Summary(summary) => Ok(*summary),
            Told::NoData => Err(AnalyzeError::NoData {
                flow: which.first.flow,
            }),
            Told::Unclear => {
                let [first, second] = captures.get_or_init(|| {
                    files.map(|file| read_capture(file).expect("it was read for the census"))
                });
                let whole = connections.get_or_init(|| Connections::of(first, second));
                let told = whole.analyze(which, options);
                told.map(|told| told.summary)
            }
        };
        outcome = printer.tell(which, told);
    });
    outcome?;
    Ok(printer.end(&census.in_one)?)
}

/// Whether nothing is asked for that takes the captures in whole, but for messages as
/// JSON of a single connection.
fn is_summary_enough(args: &AnalyzeArgs) -> bool {
    !args.packets
        && !args.outputs.any()
        && args.message_bytes.is_none()
        && args.mss.is_none()
        && args.nat.is_empty()
        && args.damage == DamageChoice::ThrownAway
        && args.flow.is_none_or(|choice| choice.incarnation.is_none())
}

fn print_summary(args: &AnalyzeArgs, summary: &Summary) {
    print!("{}", as_table(summary, args.clock));
    for warning in &summary.warnings {
        eprintln!("warning: {warning}");
    }
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
    if !args.json {
        print_summary(args, &analysis.summary);
        return Ok(());
    }
    let mut whole = as_json(&analysis.summary);
    whole["messages"] = messages_json(&analysis);
    if args.packets && analysis.chunks.is_some() {
        let records = records(captures[0], captures[1], &analysis)?;
        let all = records.packets.iter();
        whole["packets"] = all.map(|it| sctp_packet_json(it, &records)).collect();
    } else if args.packets {
        let passages = packets(
            captures[0],
            captures[1],
            Some(analysis.flow),
            &analysis.clock_steps,
        )?;
        whole["packets"] = passages.iter().map(packet_json).collect();
    }
    println!("{}", serde_json::to_string_pretty(&whole)?);
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
