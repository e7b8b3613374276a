//! Analysed scenarios, and what is drawn in a picture.
// SPDX-License-Identifier: Apache-2.0
#![allow(dead_code, reason = "each test uses a part")]

use thinlab_trace::golden::{FileFormat, Pair, Script, scenarios};
use thinlab_trace::{Analysis, Options, Records, analyze, read_capture, records};

/// A scenario, played and analysed.
pub struct Shown {
    pub name: &'static str,
    pub files: Pair,
    pub analysis: Analysis,
    pub records: Records,
}

impl Shown {
    pub fn of(name: &'static str, script: &Script, format: &FileFormat) -> Self {
        let files = script.run().files(format);
        let sender = read_capture(&files.sender).unwrap();
        let receiver = read_capture(&files.receiver).unwrap();
        let flow = thinlab_trace::Flow {
            sender: script.wire.sender,
            receiver: script.wire.receiver,
        };
        let options = Options {
            flow: Some(flow),
            ..Options::default()
        };
        let analysis = analyze(&sender, &receiver, &options).unwrap();
        let records = records(&sender, &receiver, &analysis).unwrap();
        Self {
            name,
            files,
            analysis,
            records,
        }
    }
}

/// All named scenarios.
pub fn all() -> Vec<Shown> {
    let scenarios = scenarios::all().into_iter();
    scenarios
        .map(|(name, script)| Shown::of(name, &script, &FileFormat::default()))
        .collect()
}

/// How many marks of exactly these classes a picture's plot has, those counted that
/// others stand for.
pub fn marks(document: &str, class: &str) -> u64 {
    let tree = roxmltree::Document::parse(document).expect("well-formed");
    let plot = tree
        .descendants()
        .find(|node| node.attribute("class") == Some("plot"));
    let marks = plot.expect("a plot").descendants();
    marks
        .filter(|node| node.attribute("class") == Some(class))
        .map(|node| {
            let count = node.attribute("data-count");
            count.map_or(1, |count| count.parse::<u64>().unwrap())
        })
        .sum()
}
