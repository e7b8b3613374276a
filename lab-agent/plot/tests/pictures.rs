//! Pictures of scripted connections: nothing that happened is missing.
// SPDX-License-Identifier: Apache-2.0
mod shown;

use shown::{Shown, all, marks};
use thinlab_plot::picture::{PictureError, Series, boxes, cdf, ladder, sequence};
use thinlab_plot::{Connection, Entry, Latencies, Span, Weight, page};
use thinlab_trace::golden::{Fate, FileFormat, Intent, Script};
use thinlab_trace::{MessageLatency, PacketKind, PacketRecord, Records};

const MS: u64 = 1_000_000;

#[test]
fn every_loss_bundle_and_retransmission_has_its_mark() {
    for shown in all() {
        let connection = Connection::new(shown.name, &shown.analysis, &shown.records);
        let document = sequence(&connection, None).unwrap().document();
        let (forward, backward) = (&shown.analysis.forward, &shown.analysis.backward);
        let traffic = &shown.analysis.traffic;
        let marks = |class: &str| marks(&document, class);
        let spurious = marks("fast spurious") + marks("timeout spurious");
        let again = marks("fast") + marks("timeout") + spurious;
        for (what, drawn, told) in [
            ("lost there", marks("lost"), forward.lost + forward.damaged),
            (
                "lost back",
                marks("lost-back"),
                backward.lost + backward.damaged,
            ),
            ("bundles", marks("bundle"), traffic.bundle_packets),
            ("retransmissions", again, traffic.retransmitted_packets),
            ("spurious", spurious, traffic.spurious_packets),
        ] {
            assert_eq!(drawn, told, "{}: {what}", shown.name);
        }
    }
}

#[test]
fn all_pictures_of_all_scenarios_are_well_formed_and_the_same_each_time() {
    for shown in all() {
        let connection = Connection::new(shown.name, &shown.analysis, &shown.records);
        let latencies = Latencies::of(&shown.analysis, Weight::Message);
        let series = [Series {
            label: shown.name,
            latencies: &latencies,
        }];
        let draw = || {
            let documents = [
                sequence(&connection, None).unwrap(),
                ladder(&connection, None).unwrap(),
                cdf(&series),
                boxes(&series),
            ];
            documents.map(|picture| picture.document())
        };
        let documents = draw();
        for document in &documents {
            roxmltree::Document::parse(document).expect("well-formed");
            assert!(
                !document.contains("NaN") && !document.contains("inf"),
                "{}",
                shown.name
            );
        }
        assert_eq!(documents, draw());
    }
}

/// More time than any connection takes.
const ALWAYS: Option<Span> = Some(Span {
    from_ns: -1_000_000_000_000,
    until_ns: 1_000_000_000_000,
});

#[test]
fn a_ladder_shows_each_packet_of_its_time() {
    for shown in all() {
        let connection = Connection::new(shown.name, &shown.analysis, &shown.records);
        let packets = &shown.records.packets;
        if packets.len() > 400 {
            continue;
        }
        let document = ladder(&connection, ALWAYS).unwrap().document();
        let tree = roxmltree::Document::parse(&document).unwrap();
        let classes = |prefix: &str| {
            let of = tree.descendants().filter(|node| {
                let legend = node.parent().and_then(|parent| parent.attribute("class"));
                let class = node.attribute("class").unwrap_or_default();
                legend != Some("legend") && class.starts_with(prefix)
            });
            of.count()
        };
        assert_eq!(classes("way "), packets.len(), "{}", shown.name);
        let lost = packets.iter().filter(|it| it.passage.arrived_ns.is_none());
        assert_eq!(classes("lost"), lost.count(), "{}", shown.name);
        assert_eq!(classes("lost") + classes("tip"), packets.len());
    }
}

/// 300 messages; the 200th is lost and comes again late.
fn long() -> Script {
    let mut script = Script::new();
    for n in 0..300 {
        let fate = if n == 200 {
            Fate::Lost
        } else {
            Fate::arrives(65 * MS)
        };
        script.data(
            1_000 * MS + n * 40 * MS,
            Intent::New,
            n * 100..n * 100 + 100,
            fate,
        );
    }
    script.data(
        9_391 * MS,
        Intent::Retransmission,
        20_000..20_100,
        Fate::arrives(65 * MS),
    );
    script
}

#[test]
fn a_long_ladder_chooses_the_longest_wait_and_a_time_that_does_not_fit_is_refused() {
    let shown = Shown::of("long", &long(), &FileFormat::default());
    let connection = Connection::new("long", &shown.analysis, &shown.records);
    let chosen = ladder(&connection, None).unwrap();
    assert!(
        chosen
            .description
            .contains("around bytes 20000–20100, which waited longest, 456\u{a0}ms"),
        "{}",
        chosen.description
    );
    let span = |from_s: i64, until_s: i64| {
        Some(Span {
            from_ns: from_s * 1_000_000_000,
            until_ns: until_s * 1_000_000_000,
        })
    };
    let error = ladder(&connection, span(0, 12)).unwrap_err();
    assert!(
        matches!(error, PictureError::TooManyPackets { limit: 400, .. }),
        "{error}"
    );
    let error = sequence(&connection, span(50, 60)).unwrap_err();
    assert!(
        error.to_string().contains("between 50.000 and 60.000 s"),
        "{error}"
    );
    let part = sequence(&connection, span(7, 9)).unwrap().document();
    assert_eq!(
        (
            marks(&part, "lost"),
            marks(&part, "fast") + marks(&part, "timeout")
        ),
        (1, 1)
    );
    let before = sequence(&connection, span(0, 7)).unwrap().document();
    assert_eq!(marks(&before, "lost"), 0);
}

#[test]
fn names_from_files_stay_text() {
    let shown = Shown::of("hostile", &long(), &FileFormat::default());
    let hostile =
        "</title></svg><script>alert(1)</script>\" onload='alert(2)' & \u{0}\u{202e}.pcapng";
    let connection = Connection::new(hostile, &shown.analysis, &shown.records);
    let latencies = Latencies::of(&shown.analysis, Weight::Message);
    let one = Series {
        label: hostile,
        latencies: &latencies,
    };
    let mut texts: Vec<String> = [
        sequence(&connection, None).unwrap(),
        ladder(&connection, None).unwrap(),
        cdf(&[one]),
        cdf(&[one, one]),
        boxes(&[one, one]),
    ]
    .map(|picture| picture.document())
    .into();
    for document in &texts {
        roxmltree::Document::parse(document).expect("well-formed");
        assert!(!document.contains("<script"), "{document}");
    }
    texts.push(
        page(&Entry {
            connection: &connection,
            latencies: &latencies,
            span: None,
        })
        .unwrap(),
    );
    assert_eq!(texts[5].matches("<script").count(), 1, "the page's own");
    for text in texts {
        assert!(!text.contains("<script>alert") && !text.contains("\" onload"));
        assert!(!text.contains('\u{202e}') && !text.contains('\u{0}'));
    }
}

fn page_of(name: &str, shown: &Shown, weight: Weight) -> String {
    let connection = Connection::new(name, &shown.analysis, &shown.records);
    let latencies = Latencies::of(&shown.analysis, weight);
    page(&Entry {
        connection: &connection,
        latencies: &latencies,
        span: None,
    })
    .unwrap()
}

#[test]
fn a_page_asks_for_nothing() {
    let shown = Shown::of("long", &long(), &FileFormat::default());
    let page = page_of("long", &shown, Weight::Message);
    for foreign in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("default-src 'none'"));
    assert_eq!(page.matches("<svg").count(), 4);
    assert!(
        page.contains("456.000"),
        "the longest latency is in the table"
    );
}

#[test]
fn what_holds_nothing_is_drawn_all_the_same() {
    let mut shown = Shown::of("empty", &long(), &FileFormat::default());
    shown.analysis.messages.clear();
    shown.analysis.ranges.clear();
    shown.records = Records::default();
    let page = page_of("empty", &shown, Weight::Byte);
    assert!(page.contains("Nothing arrived"), "{page}");
    assert!(!page.contains("NaN"));
}

/// Every 50th packet is lost and comes again; the very last message is the slowest.
#[test]
fn half_a_million_messages_make_small_pictures_that_leave_nothing_out() {
    const MESSAGES: u64 = 500_000;
    let mut shown = Shown::of("many", &long(), &FileFormat::default());
    let template: PacketRecord = *shown
        .records
        .packets
        .iter()
        .find(|it| it.passage.kind == PacketKind::New)
        .unwrap();
    let mut packets = Vec::new();
    let mut messages = Vec::new();
    for n in 0..MESSAGES {
        let (start, end) = (n * 120, n * 120 + 120);
        let sent_ns = (n * 20 * MS) as i64;
        let delay_ns = 65_000_000 + (n * 7_919 % 100_003) as i64 * 131;
        let slowest = if n == MESSAGES - 1 { 30_000_000_000 } else { 0 };
        let lost = n % 50 == 49;
        let arrived_ns = sent_ns + delay_ns + slowest;
        let mut record = template;
        record.passage.sent_ns = sent_ns;
        (record.passage.start, record.passage.end) = (start, end);
        record.passage.new_from = start;
        record.passage.arrived_ns = (!lost).then_some(arrived_ns);
        packets.push(record);
        if lost {
            record.passage.kind = PacketKind::Retransmission;
            record.passage.sent_ns += 330_000_000;
            record.passage.arrived_ns = Some(arrived_ns + 330_000_000);
            record.passage.new_from = end;
            packets.push(record);
        }
        messages.push(MessageLatency {
            start,
            end,
            sent_ns: Some(sent_ns),
            arrived_ns: Some(arrived_ns),
            available_ns: Some(arrived_ns),
        });
    }
    packets.sort_by_key(|it| it.passage.sent_ns);
    let lost = packets
        .iter()
        .filter(|it| it.passage.arrived_ns.is_none())
        .count() as u64;
    shown.records.packets = packets;
    shown.analysis.messages = messages;
    shown.analysis.ranges.truncate(1);
    shown.analysis.ranges[0].sent_ns = 0;
    let connection = Connection::new("many", &shown.analysis, &shown.records);
    let document = sequence(&connection, None).unwrap().document();
    assert!(document.len() < 300_000, "{} bytes", document.len());
    assert_eq!(marks(&document, "lost"), lost);
    assert_eq!(marks(&document, "timeout"), lost);
    assert!(document.contains("none is left out"), "it says so");
    let latencies = Latencies::of(&shown.analysis, Weight::Message);
    let series = [Series {
        label: "many",
        latencies: &latencies,
    }];
    let (cdf, boxes) = (cdf(&series), boxes(&series));
    for picture in [&cdf, &boxes] {
        assert!(
            picture.document().len() < 100_000,
            "{}",
            picture.document().len()
        );
    }
    assert!(
        cdf.description.contains("longest 300"),
        "{}",
        cdf.description
    );
    let page = page(&Entry {
        connection: &connection,
        latencies: &latencies,
        span: None,
    })
    .unwrap();
    assert!(page.len() < 600_000, "{} bytes", page.len());
}
