//! What demos cost and give: how soon a switch is in the kernel, whether lanes
//! stay in step at the ear, and whether anything grows.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::time::Duration;

use lab_proto::live_event::Event;
use lab_proto::stream::Kind as Stream;
use lab_proto::{AudioStream, DemoOpen, Mechanism, SyntheticStream};

use super::figure::{Figure, lane, samples};
use crate::boot::Host;
use crate::commands::presenter::lockstep::Lockstep;
use crate::commands::presenter::{self, Script, Shown, Switch};
use crate::commands::typist::many::Holdings;
use crate::commands::typist::summary::Stretch;
use crate::fault::{Fault, Outcome};

const SWITCHES: usize = 100;
const SWITCH_EVERY: Duration = Duration::from_millis(100);
const PAYLOAD_BYTES: u32 = 120;
const IAT_US: u64 = 20_000;
/// The clip that comes again and again.
const CLIP_SECONDS: usize = 30;
/// What is held is counted so many times in a take.
const COUNTS: u32 = 24;
/// After so many of them a take holds what it needs.
const WARM: usize = 4;

/// Measures all of it, with a take of `length`; nothing else should run on the
/// machine.
pub async fn figures(host: &Arc<Host>, length: Duration) -> Outcome<Vec<Figure>> {
    let mut figures = switches(host).await?;
    figures.extend(hearing(host, length).await?);
    Ok(figures)
}

/// A hundred in a row, of every lane at once.
async fn switches(host: &Arc<Host>) -> Outcome<Vec<Figure>> {
    let script = Script {
        open: open(Stream::Synthetic(SyntheticStream::endless(
            PAYLOAD_BYTES,
            IAT_US,
        ))),
        // The last one, too, comes while messages do.
        length: SWITCH_EVERY * (SWITCHES as u32 + 5),
        switch_every: Some(SWITCH_EVERY),
    };
    let shown = presenter::run(Arc::clone(host), script, |_, _| ()).await?;
    undisturbed(&shown)?;
    let took = Stretch::of(shown.switches.iter().map(Switch::took_ms));
    let how = format!(
        "from the request to the kernel having taken all of it: off and all change places on two \
         lanes that run, {} times in a row; no packet lost, no byte sent again or missing",
        shown.switches.len()
    );
    let figure = |name, value| Figure {
        name,
        value,
        unit: "ms",
        how: how.clone(),
    };
    Ok(vec![
        figure("toggle_to_kernel_p50_ms", took.p50_ms),
        figure("toggle_to_kernel_max_ms", took.max_ms),
    ])
}

/// Without loss nothing is lost, repeated or left out, whatever is switched.
fn undisturbed(shown: &Shown) -> Outcome<()> {
    for (index, lane) in shown.result.lanes.iter().enumerate() {
        let figures = lane.figures.as_ref();
        let metrics = figures.and_then(|figures| figures.metrics.as_ref());
        let felt = figures.and_then(|figures| figures.felt.as_ref());
        let (Some(metrics), Some(felt)) = (metrics, felt) else {
            return Err(Fault::Failed(format!("lane {index} has no figures")));
        };
        let lost = metrics.lost_packets_forward + metrics.lost_packets_backward;
        let all_there = metrics.unique_bytes == felt.messages * u64::from(PAYLOAD_BYTES);
        if lost + metrics.retransmitted_packets + lane.skipped_messages > 0 || !all_there {
            return Err(Fault::Failed(format!(
                "switching disturbed lane {index}: {lost} packets lost, {} sent again, {} messages \
                 left out, {} bytes sent and {} messages read",
                metrics.retransmitted_packets,
                lane.skipped_messages,
                metrics.unique_bytes,
                felt.messages
            )));
        }
    }
    Ok(())
}

/// A clip on two lanes without loss, for as long as asked.
async fn hearing(host: &Arc<Host>, length: Duration) -> Outcome<Vec<Figure>> {
    let before = Holdings::at_rest(host).await?;
    let source = samples(CLIP_SECONDS).flat_map(i16::to_le_bytes);
    let script = Script {
        open: open(Stream::Audio(AudioStream {
            source_s16le_48k_mono: source.collect(),
            ..AudioStream::default()
        })),
        length,
        switch_every: None,
    };
    let (mut lockstep, mut packets, mut holes) = (Lockstep::default(), 0_u64, 0_u64);
    let shown = presenter::run(Arc::clone(host), script, |_, event| match event {
        Event::Moment(moment) => lockstep.see(moment),
        Event::Sound(sound) => {
            holes += sound.number - packets - holes;
            packets += 1;
        }
        _ => {}
    });
    let (shown, held) = counting(host, length / COUNTS, shown).await?;
    let shown = shown?;
    let after = Holdings::settled(host, &before).await?;
    let held_up = shown.result.held_up.unwrap_or_default();
    if holes > held_up.sound_left_out {
        return Err(Fault::Failed(format!(
            "{holes} packets of sound are missing, and the machine was held up for {} of them",
            held_up.sound_left_out
        )));
    }
    let facts = shown.result.lanes.iter().filter_map(|lane| lane.playout);
    let gaps: u64 = facts.map(|facts| facts.gaps).sum();
    let (warm, last) = match &held[..] {
        [.., last] => (&held[WARM.min(held.len() - 1)], last),
        [] => (&before, &after),
    };
    let minutes = length.as_secs_f64() / 60.0;
    let mib = |kib: u64| kib as f64 / 1024.0;
    Ok(vec![
        Figure {
            name: "lockstep_difference_ms",
            value: lockstep.difference_ms,
            unit: "ms",
            how: format!(
                "the most that off and all were apart at the ear, playing the same clip without \
                 loss for {minutes:.0} min; {} moments, from capture to ear {:.1} to {:.1} ms, \
                 {packets} packets of sound, {holes} left out, {gaps} gaps in it",
                lockstep.moments, lockstep.lowest_delay_ms, lockstep.highest_delay_ms
            ),
        },
        Figure {
            name: "demo_held_up_ms",
            value: held_up.stood_still_ms,
            unit: "ms",
            how: format!(
                "for so long in all, in {} standstills, the machine did not let the guest run \
                 during that take; the sound came {:.0} ms late at most",
                held_up.standstills, held_up.sound_late_max_ms
            ),
        },
        Figure {
            name: "demo_memory_growth_mib",
            value: mib(last.memory_kib) - mib(warm.memory_kib),
            unit: "MiB",
            how: format!(
                "of the agent, from the first sixth of the same take to its end: {:.1} to {:.1} MiB \
                 ({:.1} MiB before the take); the guests: {:.1} to {:.1} MiB ({:.1} before)",
                mib(warm.memory_kib),
                mib(last.memory_kib),
                mib(before.memory_kib),
                mib(warm.guest_memory_kib),
                mib(last.guest_memory_kib),
                mib(before.guest_memory_kib)
            ),
        },
        Figure {
            name: "demo_left_behind",
            value: (last.extra(warm) + after.extra(&before)) as f64,
            unit: "",
            how: format!(
                "processes, network namespaces and descriptors, in the guests and here, that the \
                 take came to hold while it ran, and those that are there after it and were not \
                 before; descriptors of the agent: {} before, {} and {} while it ran, {} after, of \
                 the guests: {}, {} and {}, {}",
                before.descriptors,
                warm.descriptors,
                last.descriptors,
                after.descriptors,
                before.guest_descriptors,
                warm.guest_descriptors,
                last.guest_descriptors,
                after.guest_descriptors
            ),
        },
    ])
}

/// Does something, and counts meanwhile what is held.
async fn counting<T>(
    host: &Host,
    every: Duration,
    work: impl Future<Output = T>,
) -> Outcome<(T, Vec<Holdings>)> {
    let mut held = Vec::new();
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return Ok((done, held)),
            () = tokio::time::sleep(every) => {}
        }
        held.push(Holdings::now(host).await?);
    }
}

fn open(stream: Stream) -> DemoOpen {
    let all = Mechanism::PAPERS.map(|mechanism| mechanism as i32);
    DemoOpen {
        lanes: vec![lane(vec![], 0.0), lane(all.into(), 0.0)],
        stream: Some(stream.into()),
    }
}
