//! A capture as it would be if no clock had been set.
// SPDX-License-Identifier: Apache-2.0

use crate::capture::{Packet, Protocol};
use crate::error::End;
use crate::flow::EndView;
use crate::sctp::Chunk;
use crate::step::ClockStep;

/// What is made of both ends' views with steps taken out of their stamps.
pub(crate) fn without_steps<T>(
    (here, there): (&EndView, &EndView),
    steps: &[ClockStep],
    made: impl FnOnce(&EndView, &EndView) -> T,
) -> T {
    if steps.is_empty() {
        return made(here, there);
    }
    let here = SteadyView::of(here, End::Sender, steps);
    let there = SteadyView::of(there, End::Receiver, steps);
    made(&here.view(), &there.view())
}

/// The packets of a flow in one capture, with stamps of the clock as it was at first.
#[derive(Debug)]
struct SteadyView<'a> {
    /// In order, and whether they go forward.
    packets: Vec<(bool, Packet)>,
    strays: Vec<(bool, Packet)>,
    protocol: Protocol,
    chunks: &'a [Chunk],
}

impl<'a> SteadyView<'a> {
    /// Of a capture at `end`. The file has the order that stamps lost.
    fn of(view: &EndView<'a>, end: End, steps: &[ClockStep]) -> Self {
        let forward = view.stray_forward.iter().map(|packet| (true, *packet));
        let backward = view.stray_backward.iter().map(|packet| (false, *packet));
        Self {
            packets: without(view.in_order(), end, steps),
            strays: without(forward.chain(backward), end, steps),
            protocol: view.protocol,
            chunks: view.chunks,
        }
    }

    fn view(&self) -> EndView<'_> {
        let mut view = EndView {
            protocol: self.protocol,
            chunks: self.chunks,
            ..EndView::default()
        };
        for (is_forward, packet) in &self.packets {
            view.order.push(*is_forward);
            let list = if *is_forward {
                &mut view.forward
            } else {
                &mut view.backward
            };
            list.push(packet);
        }
        for (is_forward, packet) in &self.strays {
            let list = if *is_forward {
                &mut view.stray_forward
            } else {
                &mut view.stray_backward
            };
            list.push(packet);
        }
        view
    }
}

fn without<'a>(
    packets: impl Iterator<Item = (bool, &'a Packet)>,
    end: End,
    steps: &[ClockStep],
) -> Vec<(bool, Packet)> {
    let here = steps
        .iter()
        .filter_map(|step| Some((step.frame(end)?, step.by_ns)));
    let here: Vec<(u32, i64)> = here.collect();
    let steady = packets.map(|(is_forward, packet)| {
        let passed = here.iter().filter(|(frame, _)| *frame <= packet.frame);
        let ahead_ns: i64 = passed.map(|(_, by_ns)| by_ns).sum();
        let at_ns = packet.at_ns.saturating_sub(ahead_ns);
        (is_forward, Packet { at_ns, ..*packet })
    });
    let mut steady: Vec<_> = steady.collect();
    steady.sort_by_key(|(_, packet)| packet.frame);
    steady.sort_by_key(|(_, packet)| packet.at_ns);
    steady
}
