//! Pictures of a connection: what happened when, packet by packet, and how late
//! it made the messages.
//!
//! As wide as a column of a paper, in colours that people with any colour vision
//! tell apart (Okabe and Ito 2008), with line styles and marks that survive
//! printing in grey. Nothing needs a style sheet or font from elsewhere.
// SPDX-License-Identifier: Apache-2.0

mod axis;
mod boxes;
mod canvas;
mod cdf;
mod chart;
mod ladder;
mod legend;
mod marks;
mod sequence;
mod style;

use std::fmt::Write as _;

use thiserror::Error;

use crate::curve::Latencies;
use crate::markup::{At, Escaped};

pub use boxes::boxes;
pub use cdf::cdf;
pub use ladder::ladder;
pub use sequence::sequence;
pub(crate) use style::{page_style, standalone_style};

/// Units: as many as pixels on a page; 420 make a column, so that text of 11.5
/// units is 7 points at 89 mm.
const WIDTH: f64 = 420.0;

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// A short name, fit for a file's.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// The same in words, for whoever does not see it.
    pub description: String,
    width: u32,
    height: u32,
    body: String,
}

/// One of several streams in a picture.
#[derive(Clone, Copy)]
pub struct Series<'a> {
    /// What to call it.
    pub label: &'a str,
    /// Its curves.
    pub latencies: &'a Latencies,
}

/// Why a picture cannot be drawn as asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PictureError {
    /// Nothing left in that time.
    #[error(
        "no packet left between {from_s} and {until_s} s: the connection lasts from {first_s} to {last_s} s, \
         counted from the first byte of the stream"
    )]
    NothingThere {
        /// What was asked for.
        from_s: String,
        /// Its end.
        until_s: String,
        /// When the connection begins.
        first_s: String,
        /// When it ends.
        last_s: String,
    },
    /// Nobody could read it.
    #[error(
        "{packets} packets left between {from_s} and {until_s} s, and a ladder has room for {limit}: \
         choose a shorter time"
    )]
    TooManyPackets {
        /// How many.
        packets: usize,
        /// How many there may be.
        limit: usize,
        /// What was asked for.
        from_s: String,
        /// Its end.
        until_s: String,
    },
}

impl Picture {
    fn new(name: &'static str, title: String, description: String, canvas: canvas::Canvas) -> Self {
        Self {
            name,
            title,
            description,
            width: WIDTH as u32,
            height: canvas.height.ceil() as u32,
            body: canvas.body,
        }
    }

    /// A file of its own.
    pub fn document(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let Self { width, height, .. } = self;
        self.open(
            &mut out,
            &format!("xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\""),
        );
        let _ = write!(
            out,
            "<style>{}</style>\n<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            standalone_style(),
            self.body
        );
        out
    }

    /// Part of a page that brings the style.
    pub(crate) fn inline(&self) -> String {
        let mut out = String::new();
        self.open(&mut out, "tabindex=\"0\"");
        let _ = writeln!(out, "{}</svg>", self.body);
        out
    }

    fn open(&self, out: &mut String, attributes: &str) {
        let Self {
            name,
            width,
            height,
            ..
        } = self;
        let _ = writeln!(
            out,
            "<svg {attributes} class=\"picture\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"{name}-title {name}-description\">\n\
             <title id=\"{name}-title\">{}</title>\n<desc id=\"{name}-description\">{}</desc>",
            Escaped(&self.title),
            Escaped(&self.description)
        );
    }
}

/// Nanoseconds as seconds, to the millisecond.
fn seconds(ns: i64) -> String {
    format!("{:.3}", ns as f64 / 1e9)
}

/// Nanoseconds as milliseconds, in a few digits.
fn milliseconds(ns: i64) -> String {
    At(ns as f64 / 1e6).to_string()
}
