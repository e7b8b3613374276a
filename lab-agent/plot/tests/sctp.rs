//! Associations in pictures, tables and comments.
// SPDX-License-Identifier: Apache-2.0

use thinlab_plot::{
    Connection, Entry, Latencies, Weight, comment, message_table, packet_table, page, picture,
};
use thinlab_trace::golden::FileFormat;
use thinlab_trace::golden::sctp::{Script, scenarios};
use thinlab_trace::{Analysis, End, Flow, Options, Records, analyze, read_capture, records};

/// A scenario by name, analysed, and the sender's capture.
fn shown(script: &Script) -> (Analysis, Records, Vec<u8>) {
    let files = script.run().trace.files(&FileFormat::default());
    let sender = read_capture(&files.sender).unwrap();
    let receiver = read_capture(&files.receiver).unwrap();
    let options = Options {
        flow: Some(Flow {
            sender: script.wire.sender,
            receiver: script.wire.receiver,
        }),
        ..Options::default()
    };
    let analysis = analyze(&sender, &receiver, &options).unwrap();
    let records = records(&sender, &receiver, &analysis).unwrap();
    (analysis, records, files.sender)
}

#[test]
fn every_scenario_can_be_drawn() {
    for (name, script) in scenarios::all() {
        let (analysis, records, _) = shown(&script);
        let connection = Connection::new(name, &analysis, &records);
        let sequence = picture::sequence(&connection, None).expect(name);
        assert!(sequence.document().contains("<svg"), "{name}");
        picture::ladder(&connection, None).expect(name);
        let latencies = Latencies::of(&analysis, Weight::Message);
        let whole = page(&Entry {
            connection: &connection,
            latencies: &latencies,
            span: None,
        });
        assert!(whole.expect(name).contains("<html"), "{name}");
        message_table(&connection).expect(name);
        packet_table(&connection).expect(name);
    }
}

#[test]
fn comments_name_chunks() {
    let mut all = scenarios::all().into_iter();
    let wanted = "fast retransmission with what waits";
    let (name, script) = all.find(|(name, _)| *name == wanted).unwrap();
    let (analysis, records, file) = shown(&script);
    let connection = Connection::new(name, &analysis, &records);
    let commented = comment(&file, End::Sender, &connection).unwrap();
    let text = String::from_utf8_lossy(&commented);
    for words in [
        "TSN 1000002 (stream 0, 120 bytes): new; lost",
        "TSN 1000002 (stream 0, 120 bytes): fast retransmission; ",
        "TSN 1000007 (stream 0, 120 bytes): bundled with a fast retransmission, an earlier copy arrives",
        "SACK up to TSN 1000001, 1 gap ack blocks up to 1000005",
    ] {
        assert!(text.contains(words), "{words}");
    }
}
