//! What an analysed connection is shown in: four pictures as SVG, one HTML page,
//! complete latency curves, tables as Parquet, and captures with a comment on
//! every packet.
//!
//! Pure: an analysis in, text and bytes out. No file, no clock, no randomness; the
//! same analysis gives the same bytes.
//!
//! ```
//! use thinlab_plot::{Connection, Latencies, Weight, picture};
//! use thinlab_trace::golden::{Fate, FileFormat, Intent, Script};
//! use thinlab_trace::{Options, analyze, read_capture, records};
//!
//! const MS: u64 = 1_000_000;
//! let mut script = Script::new();
//! script.data(1_000 * MS, Intent::New, 0..120, Fate::Lost);
//! script.data(1_140 * MS, Intent::Bundle { new_from: 120 }, 0..240, Fate::arrives(65 * MS));
//! let files = script.run().files(&FileFormat::default());
//! let sender = read_capture(&files.sender)?;
//! let receiver = read_capture(&files.receiver)?;
//! let analysis = analyze(&sender, &receiver, &Options::default())?;
//! let records = records(&sender, &receiver, &analysis)?;
//!
//! let connection = Connection::new("a loss, healed", &analysis, &records);
//! let sequence = picture::sequence(&connection, None)?;
//! assert!(sequence.document().contains("class=\"lost\""));
//! let latencies = Latencies::of(&analysis, Weight::Message);
//! assert_eq!(latencies.application.quantile(1, 2).unwrap(), 65 * MS as i64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
// SPDX-License-Identifier: Apache-2.0
#![forbid(unsafe_code)]

mod comment;
mod connection;
mod curve;
mod markup;
mod page;
pub mod picture;
mod table;

pub use comment::{CommentError, comment};
pub use connection::{Connection, Span};
pub use curve::{Curve, Latencies, Weight};
pub use page::{Entry, page};
pub use table::{TableError, message_table, packet_table};
