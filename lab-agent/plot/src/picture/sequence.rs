//! Sequence offset over time at the sender: what left, what came back, what was
//! lost.
// SPDX-License-Identifier: Apache-2.0

use std::fmt::Write as _;

use super::axis::Axis;
use super::canvas::{Canvas, shortened};
use super::chart::{LEFT, RIGHT, frame};
use super::legend::{Entry, legend};
use super::marks::{Bars, Marks, Shape, Staircase};
use super::{Picture, PictureError, seconds};
use crate::connection::{Connection, Packet, Role, Span};
use crate::markup::{At, Grouped};

const PLOT_HEIGHT: f64 = 240.0;

/// The packets of a span, or of the whole connection: new data and bundles as
/// bars as high as their bytes, retransmissions and losses as marks, what the
/// receiver has acknowledged as a line and its selective acknowledgements above.
///
/// # Errors
/// [`PictureError::NothingThere`] when no packet left in the span.
pub fn sequence(connection: &Connection, span: Option<Span>) -> Result<Picture, PictureError> {
    let whole = connection.whole();
    let shown = span.map_or(whole, |span| connection.clipped(span));
    let packets = connection.within(shown);
    if let (Some(span), true) = (span, packets.is_empty()) {
        return Err(nothing_there(span, whole));
    }
    let acknowledgements = acknowledgements(connection, shown);
    let extent = Extent::of(packets, &acknowledgements);
    let mut drawing = Drawing::new(connection, shown, &extent);
    for packet in packets {
        drawing.add(packet);
    }
    for (at_ns, packet) in &acknowledgements {
        drawing.hear(*at_ns, packet);
    }
    Ok(drawing.finish(packets.len()))
}

pub(super) fn nothing_there(span: Span, whole: Span) -> PictureError {
    PictureError::NothingThere {
        from_s: seconds(span.from_ns),
        until_s: seconds(span.until_ns),
        first_s: seconds(whole.from_ns),
        last_s: seconds(whole.until_ns),
    }
}

/// What the sender hears in a span, in order of its coming.
fn acknowledgements<'a>(connection: &Connection<'a>, span: Span) -> Vec<(i64, Packet<'a>)> {
    let heard = connection.packets.iter().filter_map(|packet| {
        let passage = &packet.record.passage;
        let at_ns = connection.since_ns(passage.arrived_ns?);
        let inside = (span.from_ns..span.until_ns).contains(&at_ns);
        (inside && !passage.forward).then_some((at_ns, *packet))
    });
    let mut heard: Vec<_> = heard.collect();
    heard.sort_by_key(|(at_ns, _)| *at_ns);
    heard
}

/// The offsets that are shown.
struct Extent {
    from: u64,
    until: u64,
}

impl Extent {
    fn of(packets: &[Packet], acknowledgements: &[(i64, Packet)]) -> Self {
        let data = packets
            .iter()
            .filter(|packet| packet.record.passage.forward && packet.carries_data());
        let (starts, ends): (Vec<u64>, Vec<u64>) = data
            .map(|packet| (packet.record.passage.start, packet.record.passage.end))
            .unzip();
        let heard = || acknowledgements.iter().map(|(_, packet)| packet.record);
        let selective = heard().filter_map(|record| record.selective_until);
        let acknowledged = heard().map(|record| record.passage.acknowledged);
        Self {
            from: starts
                .into_iter()
                .chain(acknowledged.clone())
                .min()
                .unwrap_or(0),
            until: ends
                .into_iter()
                .chain(acknowledged)
                .chain(selective)
                .max()
                .unwrap_or(1),
        }
    }
}

/// Bytes on an axis in a unit that keeps its numbers short.
fn unit(until: u64) -> (f64, &'static str) {
    match until {
        0..=20_000 => (1.0, "sequence offset, bytes"),
        20_001..=20_000_000 => (1e3, "sequence offset, kB"),
        _ => (1e6, "sequence offset, MB"),
    }
}

struct Drawing<'a> {
    connection: &'a Connection<'a>,
    x: Axis,
    y: Axis,
    bytes_per_unit: f64,
    y_name: &'static str,
    new: Bars,
    old: Bars,
    bundles: Marks,
    again: [(Role, bool, Marks); 4],
    lost: Marks,
    lost_back: Marks,
    selective: Marks,
    acknowledged: Staircase,
    highest_acknowledged: u64,
    highest_sent: u64,
}

impl<'a> Drawing<'a> {
    fn new(connection: &'a Connection, shown: Span, extent: &Extent) -> Self {
        let (bytes_per_unit, y_name) = unit(extent.until);
        let (from, until) = (
            extent.from as f64 / bytes_per_unit,
            extent.until as f64 / bytes_per_unit,
        );
        let margin = (until - from) * 0.03;
        let marks = |role, spurious| {
            let (class, shape) = match (role, spurious) {
                (Role::Fast, false) => ("fast", Shape::Triangle),
                (Role::Fast, true) => ("fast spurious", Shape::Triangle),
                (_, false) => ("timeout", Shape::Diamond),
                (_, true) => ("timeout spurious", Shape::Diamond),
            };
            (role, spurious, Marks::new(class, shape))
        };
        Self {
            connection,
            x: Axis::linear(
                shown.from_ns as f64 / 1e9,
                shown.until_ns as f64 / 1e9,
                LEFT,
                RIGHT,
            ),
            // Moved below the legend once its height is known.
            y: Axis::linear(from - margin, until + margin, PLOT_HEIGHT, 0.0),
            bytes_per_unit,
            y_name,
            new: Bars::default(),
            old: Bars::default(),
            bundles: Marks::new("bundle", Shape::Square),
            again: [
                marks(Role::Fast, false),
                marks(Role::Fast, true),
                marks(Role::Timeout, false),
                marks(Role::Timeout, true),
            ],
            lost: Marks::new("lost", Shape::Cross),
            lost_back: Marks::new("lost-back", Shape::SmallCross),
            selective: Marks::new("sack", Shape::Dash),
            acknowledged: Staircase::default(),
            highest_acknowledged: 0,
            highest_sent: extent.from,
        }
    }

    fn place(&self, at_ns: i64, offset: u64) -> (f64, f64) {
        let value = offset as f64 / self.bytes_per_unit;
        (self.x.at(at_ns as f64 / 1e9), self.y.at(value))
    }

    fn add(&mut self, packet: &Packet) {
        let passage = &packet.record.passage;
        let at_ns = self.connection.since_ns(passage.sent_ns);
        if !passage.forward {
            if packet.is_lost() {
                self.lost_back.add(self.place(at_ns, passage.acknowledged));
            }
            return;
        }
        if !packet.carries_data() {
            if packet.is_lost() {
                self.lost.add(self.place(at_ns, self.highest_sent));
            }
            return;
        }
        self.highest_sent = self.highest_sent.max(passage.end);
        let (x, start) = self.place(at_ns, passage.start);
        let new_from = self.place(at_ns, passage.new_from).1;
        let end = self.place(at_ns, passage.end).1;
        let middle = (x, f64::midpoint(start, end));
        match packet.role {
            Role::Bundle => {
                self.old.add(x, start, new_from);
                self.new.add(x, new_from, end);
                self.bundles.add((x, new_from));
            }
            role @ (Role::Fast | Role::Timeout) => {
                let spurious = packet.record.is_spurious();
                let kind = self
                    .again
                    .iter_mut()
                    .find(|kind| (kind.0, kind.1) == (role, spurious));
                if let Some((.., marks)) = kind {
                    marks.add(middle);
                }
            }
            _ => self.new.add(x, start, end),
        }
        if packet.is_lost() {
            self.lost.add(middle);
        }
    }

    fn hear(&mut self, at_ns: i64, packet: &Packet) {
        let acknowledged = packet.record.passage.acknowledged;
        self.highest_acknowledged = self.highest_acknowledged.max(acknowledged);
        let (x, y) = self.place(at_ns, self.highest_acknowledged);
        self.acknowledged.step(x, y);
        if let Some(until) = packet.record.selective_until {
            self.selective.add(self.place(at_ns, until));
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        if !self.new.is_empty() {
            entries.push(Entry::mark("new", Shape::Bar, "new data"));
        }
        entries.extend(self.bundles.entry("bundle"));
        let names = [
            "fast retransmission",
            "fast, spurious",
            "timeout retransmission",
            "timeout, spurious",
        ];
        for ((.., marks), name) in self.again.iter().zip(names) {
            entries.extend(marks.entry(name));
        }
        entries.extend(self.lost.entry("lost"));
        entries.extend(self.lost_back.entry("ACK lost"));
        if self.highest_acknowledged > 0 {
            entries.push(Entry::line("ack", "acknowledged"));
        }
        entries.extend(self.selective.entry("SACK"));
        entries
    }

    fn finish(self, packets: usize) -> Picture {
        let mut canvas = Canvas::default();
        legend(&mut canvas, &self.entries(), LEFT, RIGHT);
        let top = canvas.height + 4.0;
        let y = Axis {
            start: self.y.start + top,
            end: self.y.end + top,
            ..self.y
        };
        let x_name = "time since the first byte left, s";
        frame(&mut canvas, &self.x, &y, x_name, Some(self.y_name));
        let _ = writeln!(
            canvas.body,
            "<g class=\"plot\" transform=\"translate(0 {})\">",
            At(top)
        );
        canvas.path("new", &self.new.data());
        canvas.path("old", &self.old.data());
        let heard_until = (self.highest_acknowledged > 0).then_some(RIGHT);
        let all: Vec<&Marks> = [&self.selective, &self.bundles]
            .into_iter()
            .chain(self.again.iter().map(|(.., marks)| marks))
            .chain([&self.lost_back, &self.lost])
            .collect();
        canvas.path("ack", &self.acknowledged.until(heard_until));
        for marks in &all {
            marks.draw(&mut canvas);
        }
        canvas.body.push_str("</g>\n");
        let merged: u64 = all.iter().map(|marks| marks.counts().1).sum();
        let mut notes = Vec::new();
        if merged > 0 || packets > 5_000 {
            notes.push(format!(
                "{} packets. Marks of one kind closer than a pixel are drawn as one; none is left out.",
                Grouped(packets as u64)
            ));
        }
        canvas.notes(&notes, LEFT, RIGHT);
        let again: u64 = self.again.iter().map(|(.., marks)| marks.counts().0).sum();
        let flow = self.connection.analysis.flow;
        let title = format!(
            "Sequence offset over time, {}",
            shortened(self.connection.label, 120)
        );
        let description = format!(
            "Time-sequence diagram of {flow} at the sender, {} to {} s: {packets} packets, {} bundles, \
             {again} retransmissions; {} packets lost on the way there, {} on the way back.",
            seconds((self.x.from * 1e9) as i64),
            seconds((self.x.until * 1e9) as i64),
            self.bundles.counts().0,
            self.lost.counts().0,
            self.lost_back.counts().0,
        );
        Picture::new("time-sequence", title, description, canvas)
    }
}
