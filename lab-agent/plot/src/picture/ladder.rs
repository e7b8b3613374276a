//! Packets on their way between sender and receiver, time running down.
// SPDX-License-Identifier: Apache-2.0

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, shortened};
use super::legend::{Entry, legend};
use super::marks::{Shape, shape};
use super::sequence::nothing_there;
use super::{Picture, PictureError, milliseconds, seconds};
use crate::connection::{Connection, Packet, Role, Span};
use crate::markup::Grouped;

/// More packets cannot be told apart.
const LIMIT: usize = 400;
/// Of a stretch that was chosen here: its packets, the longest wait that it shows
/// whole, and what is shown around the wait at least.
const CHOSEN: usize = 48;
const LONGEST_NS: i64 = 3_000_000_000;
const BEFORE_NS: i64 = 200_000_000;
const AFTER_NS: i64 = 800_000_000;
const SENDER: f64 = 152.0;
const RECEIVER: f64 = 278.0;
const AXIS: f64 = 48.0;
const RIGHT: f64 = super::WIDTH - 4.0;
/// Between the base lines of two labels.
const LABEL: f64 = 11.0;

/// The packets of a span. Without one: the stretch around the message that waited
/// longest, and a note that says so unless that is all there is.
///
/// # Errors
/// [`PictureError`] when the span holds no packets, or more than can be read.
pub fn ladder(connection: &Connection, span: Option<Span>) -> Result<Picture, PictureError> {
    let (shown, note) = match span {
        Some(span) => (connection.clipped(span), None),
        None => chosen(connection),
    };
    let packets = connection.within(shown);
    if let (Some(span), true) = (span, packets.is_empty()) {
        return Err(nothing_there(span, connection.whole()));
    }
    if packets.len() > LIMIT {
        return Err(PictureError::TooManyPackets {
            packets: packets.len(),
            limit: LIMIT,
            from_s: seconds(shown.from_ns),
            until_s: seconds(shown.until_ns),
        });
    }
    Ok(draw(connection, shown, packets, note))
}

/// The stretch around the message that waited longest: from a little before it left
/// until some time after it was available, as far as there is room.
fn chosen(connection: &Connection) -> (Span, Option<String>) {
    let messages = connection.analysis.messages.iter();
    let waited = messages.filter_map(|message| {
        // What never became available waited longest of all.
        let wait_ns = message.application_ns().unwrap_or(i64::MAX);
        Some((wait_ns, connection.since_ns(message.sent_ns?), message))
    });
    // The first of several.
    let longest = waited.rev().max_by_key(|(wait_ns, ..)| *wait_ns);
    let Some((wait_ns, sent_ns, message)) = longest else {
        return (connection.whole(), None);
    };
    let shown_ns = wait_ns.min(LONGEST_NS);
    let stretch = connection.clipped(Span {
        from_ns: sent_ns - shown_ns / 2 - BEFORE_NS,
        until_ns: sent_ns + shown_ns + shown_ns / 2 + AFTER_NS,
    });
    let packets = connection.within(stretch);
    let departure_ns = |packet: &Packet| connection.since_ns(packet.record.passage.sent_ns);
    // Of too many, most of those from the message on.
    let at = packets.partition_point(|packet| departure_ns(packet) < sent_ns);
    let first = at.saturating_sub(CHOSEN / 6);
    let until = packets.len().min(first + CHOSEN);
    let (Some(from), Some(last)) = (packets.get(first), packets.get(until.saturating_sub(1)))
    else {
        return (connection.whole(), None);
    };
    let span = Span {
        from_ns: departure_ns(from),
        until_ns: departure_ns(last) + 1,
    };
    if connection.within(span).len() == connection.packets.len() {
        return (span, None);
    }
    let wait = match wait_ns {
        i64::MAX => "never became available".to_owned(),
        wait_ns => format!("waited longest, {}\u{a0}ms", milliseconds(wait_ns)),
    };
    let (start, end) = (message.start, message.end);
    let note = format!(
        "{} to {} s of {} packets: around bytes {start}–{end}, which {wait}.",
        seconds(span.from_ns),
        seconds(span.until_ns),
        Grouped(connection.packets.len() as u64)
    );
    (span, Some(note))
}

fn draw(connection: &Connection, shown: Span, packets: &[Packet], note: Option<String>) -> Picture {
    let mut canvas = Canvas::default();
    legend(&mut canvas, &entries(packets), 10.0, RIGHT);
    canvas.height += 16.0;
    let top = canvas.height + 6.0;
    canvas.text("", (SENDER, canvas.height - 2.0), Anchor::Middle, "sender");
    canvas.text(
        "",
        (RECEIVER, canvas.height - 2.0),
        Anchor::Middle,
        "receiver",
    );
    let last_ns = packets.iter().map(|packet| {
        let passage = &packet.record.passage;
        connection.since_ns(passage.arrived_ns.unwrap_or(passage.sent_ns))
    });
    let until_ns = last_ns.max().unwrap_or(0).max(shown.from_ns + 1);
    let height = (packets.len() as f64 * 13.0).clamp(190.0, 2_400.0);
    let (ns_per_unit, time_name) = if until_ns.max(-shown.from_ns) < 10_000_000_000 {
        (1e6, "time since the first byte left, ms")
    } else {
        (1e9, "time since the first byte left, s")
    };
    let time = Axis::linear(
        shown.from_ns as f64 / ns_per_unit,
        until_ns as f64 / ns_per_unit,
        top,
        top + height,
    );
    for (value, label) in time.ticks((height / 60.0) as usize) {
        let y = time.at(value);
        canvas.line("grid", (SENDER, y), (RECEIVER, y));
        canvas.line("frame", (AXIS - 3.0, y), (AXIS, y));
        canvas.text("", (AXIS - 5.0, y + 4.0), Anchor::End, &label);
    }
    canvas.upright((10.0, top + height.clamp(190.0, 300.0) / 2.0), time_name);
    for x in [SENDER, RECEIVER] {
        canvas.line("frame", (x, top - 3.0), (x, top + height + 3.0));
    }
    let delays = packets.iter().filter_map(|packet| {
        let passage = &packet.record.passage;
        Some(passage.arrived_ns? - passage.sent_ns)
    });
    let usual_ns = delays.min().unwrap_or(0);
    let mut labels = [Labels::default(), Labels::default()];
    for packet in packets {
        let ns = |at_ns| time.at(connection.since_ns(at_ns) as f64 / ns_per_unit);
        cross(&mut canvas, packet, usual_ns, ns);
        labels[usize::from(packet.record.passage.forward)].place(&mut canvas, packet, ns);
    }
    canvas.height = top + height + 8.0;
    let mut notes: Vec<String> = note.into_iter().collect();
    let unnamed: usize = labels.iter().map(|labels| labels.left_out).sum();
    if unnamed > 0 {
        notes.push(format!(
            "{unnamed} of the packets have no room for their name."
        ));
    }
    canvas.notes(&notes, 10.0, RIGHT);
    let lost = packets.iter().filter(|packet| packet.is_lost()).count();
    Picture::new(
        "ladder",
        format!(
            "Packets between sender and receiver, {}",
            shortened(connection.label, 120)
        ),
        format!(
            "Ladder diagram of {}, {} to {} s: {} packets, {lost} of them lost. {}",
            connection.analysis.flow,
            seconds(shown.from_ns),
            seconds(shown.until_ns),
            packets.len(),
            notes.join(" ")
        ),
        canvas,
    )
}

fn class(packet: &Packet) -> &'static str {
    match packet.role {
        Role::Control => "control",
        Role::Acknowledgement => "ack",
        Role::New => "new",
        Role::Bundle => "bundle",
        Role::Fast => "fast",
        Role::Timeout => "timeout",
    }
}

fn entries(packets: &[Packet]) -> Vec<Entry> {
    let names = [
        (Role::New, "new data"),
        (Role::Bundle, "bundle"),
        (Role::Fast, "fast retransmission"),
        (Role::Timeout, "timeout retransmission"),
        (Role::Acknowledgement, "ACK"),
        (Role::Control, "SYN, FIN"),
    ];
    let mut entries = Vec::new();
    for (role, name) in names {
        if let Some(packet) = packets.iter().find(|packet| packet.role == role) {
            entries.push(Entry::line(format!("way {}", class(packet)), name));
        }
    }
    if packets.iter().any(Packet::is_lost) {
        entries.push(Entry::mark("lost", Shape::Cross, "lost"));
    }
    entries
}

/// A packet's way, with a tip where it arrives or a cross where it is lost.
fn cross(canvas: &mut Canvas, packet: &Packet, usual_ns: i64, at: impl Fn(i64) -> f64) {
    let passage = &packet.record.passage;
    let (from, to) = if passage.forward {
        (SENDER, RECEIVER)
    } else {
        (RECEIVER, SENDER)
    };
    let begin = (from, at(passage.sent_ns));
    let class = format!("way {}", class(packet));
    let Some(arrived_ns) = passage.arrived_ns else {
        let there = (to, at(passage.sent_ns + usual_ns));
        let along = |share: f64| {
            let part = |a: f64, b: f64| a + (b - a) * share;
            (part(begin.0, there.0), part(begin.1, there.1))
        };
        canvas.line(&class, begin, along(0.6));
        canvas.path("lost", &shape(Shape::Cross, along(0.6)));
        return;
    };
    let end = (to, at(arrived_ns));
    canvas.line(&class, begin, end);
    let (dx, dy) = (end.0 - begin.0, end.1 - begin.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let side = |sign: f64| {
        (
            end.0 - ux * 6.0 + sign * uy * 2.2,
            end.1 - uy * 6.0 - sign * ux * 2.2,
        )
    };
    let (a, b) = (side(1.0), side(-1.0));
    let at = crate::markup::At;
    canvas.path(
        "tip",
        &format!(
            "M{} {}L{} {}L{} {}z",
            at(end.0),
            at(end.1),
            at(a.0),
            at(a.1),
            at(b.0),
            at(b.1)
        ),
    );
}

/// Names beside the line of the end that a packet leaves.
#[derive(Default)]
struct Labels {
    below: Option<f64>,
    left_out: usize,
}

impl Labels {
    fn place(&mut self, canvas: &mut Canvas, packet: &Packet, at: impl Fn(i64) -> f64) {
        let y = at(packet.record.passage.sent_ns) + 3.5;
        if self.below.is_some_and(|last| y < last + LABEL) {
            self.left_out += 1;
            return;
        }
        self.below = Some(y);
        let (x, anchor) = if packet.record.passage.forward {
            (SENDER - 4.0, Anchor::End)
        } else {
            (RECEIVER + 4.0, Anchor::Start)
        };
        canvas.text("small", (x, y), anchor, &name(packet));
    }
}

/// What a packet carries, in as many words as there is room for.
fn name(packet: &Packet) -> String {
    const SIGN: f64 = 5.5;
    let passage = &packet.record.passage;
    let room = if passage.forward {
        SENDER - AXIS - 6.0
    } else {
        RIGHT - RECEIVER - 4.0
    };
    let names = names(packet);
    let fits = |name: &&String| name.chars().count() as f64 * SIGN <= room;
    let name = names.iter().find(fits).or(names.last());
    shortened(name.map_or("", String::as_str), (room / SIGN) as usize)
}

/// The longest first.
fn names(packet: &Packet) -> Vec<String> {
    let passage = &packet.record.passage;
    let bytes = format!("{}–{}", passage.start, passage.end);
    match packet.role {
        Role::Control => vec!["SYN or FIN".to_owned()],
        Role::New | Role::Bundle => vec![bytes],
        Role::Fast | Role::Timeout => vec![format!("{bytes} again"), bytes],
        Role::Acknowledgement => {
            let duplicate = if passage.duplicate { "dup" } else { "" };
            let bare = format!("{duplicate}ACK {}", passage.acknowledged);
            match packet.record.selective_until {
                Some(until) => vec![
                    format!("{bare}, SACK {until}"),
                    format!("{bare}, SACK"),
                    bare,
                ],
                None => vec![bare],
            }
        }
    }
}
