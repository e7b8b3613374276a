//! Messages and packets as Parquet files, for whoever computes with them.
//!
//! Names and instants are those of `lab-agent analyze --json --packets`: packets
//! as stamped, since 1970, and messages since the stream's first byte left.
// SPDX-License-Identifier: Apache-2.0

use std::sync::Arc;

use lab_proto::Recovery;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use thinlab_trace::{MessageLatency, PacketKind};

use crate::connection::{Connection, Packet};

/// Rows of a row group: its columns are in memory at the same time.
const GROUP_ROWS: usize = 1 << 20;

const MESSAGES: &str = "
    message messages {
        required int64 start;
        required int64 end;
        optional int64 sent_ns;
        optional int64 arrived_ns;
        optional int64 available_ns;
    }";

const PACKETS: &str = "
    message packets {
        required boolean forward;
        required binary kind (string);
        required int64 sent_ns;
        optional int64 arrived_ns;
        required int64 start;
        required int64 end;
        required int64 new_from;
        required int64 acknowledged;
        required boolean duplicate;
        required boolean selective;
        optional binary cause (string);
        optional int64 selective_until;
        required int64 ordinal;
        required int64 spurious_bytes;
        required int64 bundle_hit_bytes;
        required int64 sent_frame;
        optional int64 arrived_frame;
    }";

/// A table that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the Parquet table cannot be made: {0}")]
pub struct TableError(#[from] ParquetError);

/// The stream's messages, one a row, as a Parquet file.
///
/// # Errors
/// [`TableError`], when the library refuses.
pub fn message_table(connection: &Connection) -> Result<Vec<u8>, TableError> {
    let since = |instant: Option<i64>| instant.map(|at_ns| connection.since_ns(at_ns));
    table(
        MESSAGES,
        &connection.analysis.messages,
        |group, rows: &[MessageLatency]| {
            whole(group, rows, |row| row.start as i64)?;
            whole(group, rows, |row| row.end as i64)?;
            some(group, rows, |row| since(row.sent_ns))?;
            some(group, rows, |row| since(row.arrived_ns))?;
            some(group, rows, |row| since(row.available_ns))
        },
    )
}

/// The connection's packets, both directions, one a row, in the order in which
/// they left, as a Parquet file.
///
/// # Errors
/// [`TableError`], when the library refuses.
pub fn packet_table(connection: &Connection) -> Result<Vec<u8>, TableError> {
    table(PACKETS, &connection.packets, |group, rows: &[Packet]| {
        all::<BoolType, _>(group, rows, |row| row.record.passage.forward)?;
        all::<ByteArrayType, _>(group, rows, |row| kind(row.record.passage.kind))?;
        whole(group, rows, |row| row.record.passage.sent_ns)?;
        some(group, rows, |row| row.record.passage.arrived_ns)?;
        whole(group, rows, |row| row.record.passage.start as i64)?;
        whole(group, rows, |row| row.record.passage.end as i64)?;
        whole(group, rows, |row| row.record.passage.new_from as i64)?;
        whole(group, rows, |row| row.record.passage.acknowledged as i64)?;
        all::<BoolType, _>(group, rows, |row| row.record.passage.duplicate)?;
        all::<BoolType, _>(group, rows, |row| row.record.passage.selective)?;
        known::<ByteArrayType, _>(group, rows, |row| cause(row.record.passage.cause))?;
        some(group, rows, |row| {
            row.record.selective_until.map(|until| until as i64)
        })?;
        whole(group, rows, |row| i64::from(row.ordinal))?;
        whole(group, rows, |row| row.record.spurious_bytes as i64)?;
        whole(group, rows, |row| row.record.hit_bytes as i64)?;
        whole(group, rows, |row| i64::from(row.record.sent_frame))?;
        some(group, rows, |row| row.record.arrived_frame.map(i64::from))
    })
}

fn kind(kind: PacketKind) -> ByteArray {
    match kind {
        PacketKind::Control => "control",
        PacketKind::Acknowledgement => "acknowledgement",
        PacketKind::New => "new",
        PacketKind::Bundle => "bundle",
        PacketKind::Retransmission => "retransmission",
    }
    .into()
}

fn cause(cause: Recovery) -> Option<ByteArray> {
    match cause {
        Recovery::Fast => Some("fast".into()),
        Recovery::Timeout => Some("timeout".into()),
        _ => None,
    }
}

type Group<'a, 'b> = SerializedRowGroupWriter<'a, &'b mut Vec<u8>>;

fn table<T>(
    schema: &str,
    rows: &[T],
    columns: impl Fn(&mut Group, &[T]) -> Result<(), ParquetError>,
) -> Result<Vec<u8>, TableError> {
    let schema = Arc::new(parse_message_type(schema)?);
    let properties = WriterProperties::builder()
        .set_created_by("lab-agent analyze".to_owned())
        .set_dictionary_enabled(false)
        .build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    for rows in rows.chunks(GROUP_ROWS) {
        let mut group = file.next_row_group()?;
        columns(&mut group, rows)?;
        group.close()?;
    }
    file.close()?;
    Ok(bytes)
}

fn whole<T>(group: &mut Group, rows: &[T], value: impl Fn(&T) -> i64) -> Result<(), ParquetError> {
    all::<Int64Type, T>(group, rows, value)
}

fn some<T>(
    group: &mut Group,
    rows: &[T],
    value: impl Fn(&T) -> Option<i64>,
) -> Result<(), ParquetError> {
    known::<Int64Type, T>(group, rows, value)
}

fn all<D: DataType, T>(
    group: &mut Group,
    rows: &[T],
    value: impl Fn(&T) -> D::T,
) -> Result<(), ParquetError> {
    let values: Vec<D::T> = rows.iter().map(value).collect();
    write::<D>(group, &values, None)
}

fn known<D: DataType, T>(
    group: &mut Group,
    rows: &[T],
    value: impl Fn(&T) -> Option<D::T>,
) -> Result<(), ParquetError> {
    let values: Vec<Option<D::T>> = rows.iter().map(value).collect();
    let levels: Vec<i16> = values
        .iter()
        .map(|value| i16::from(value.is_some()))
        .collect();
    let values: Vec<D::T> = values.into_iter().flatten().collect();
    write::<D>(group, &values, Some(&levels))
}

fn write<D: DataType>(
    group: &mut Group,
    values: &[D::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General(
            "more columns than the schema has".into(),
        ));
    };
    column.typed::<D>().write_batch(values, levels, None)?;
    column.close()
}
