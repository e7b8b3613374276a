//! Parquet tables, read back.
// SPDX-License-Identifier: Apache-2.0
mod shown;

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};
use shown::all;
use thinlab_plot::{Connection, message_table, packet_table};
use thinlab_trace::PacketKind;

fn rows(bytes: Vec<u8>) -> Vec<Row> {
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a Parquet file");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| row.expect("a row")).collect()
}

fn field(row: &Row, name: &str) -> Field {
    let found = row.get_column_iter().find(|(column, _)| *column == name);
    found
        .unwrap_or_else(|| panic!("no column {name}"))
        .1
        .clone()
}

fn maybe(value: Option<i64>) -> Field {
    value.map_or(Field::Null, Field::Long)
}

#[test]
fn tables_hold_every_message_and_packet() {
    for shown in all() {
        let connection = Connection::new(shown.name, &shown.analysis, &shown.records);
        let messages = rows(message_table(&connection).unwrap());
        assert_eq!(messages.len(), shown.analysis.messages.len());
        let origin_ns = shown.analysis.ranges[0].sent_ns;
        for (row, message) in messages.iter().zip(&shown.analysis.messages) {
            assert_eq!(field(row, "end"), Field::Long(message.end as i64));
            let available_ns = message.available_ns.map(|at_ns| at_ns - origin_ns);
            assert_eq!(
                field(row, "available_ns"),
                maybe(available_ns),
                "{}",
                shown.name
            );
        }
        let packets = rows(packet_table(&connection).unwrap());
        assert_eq!(packets.len(), shown.records.packets.len());
        for (row, record) in packets.iter().zip(&shown.records.packets) {
            let passage = &record.passage;
            assert_eq!(field(row, "sent_ns"), Field::Long(passage.sent_ns));
            assert_eq!(field(row, "arrived_ns"), maybe(passage.arrived_ns));
            assert_eq!(field(row, "forward"), Field::Bool(passage.forward));
            let again = passage.kind == PacketKind::Retransmission;
            let kind = Field::Str("retransmission".to_owned());
            assert_eq!(field(row, "kind") == kind, again);
            assert_eq!(field(row, "cause") == Field::Null, !again, "{}", shown.name);
        }
    }
}
