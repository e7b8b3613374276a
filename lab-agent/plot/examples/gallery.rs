//! Pictures, pages and captures of scripted connections, to look at after a change:
//! `cargo run -p thinlab-plot --example gallery -- FOLDER`.
// SPDX-License-Identifier: Apache-2.0

use std::error::Error;
use std::fs;
use std::path::Path;

use thinlab_plot::picture::{Series, boxes, cdf, ladder, sequence};
use thinlab_plot::{Connection, Entry, Latencies, Weight, page};
use thinlab_trace::golden::{Fate, FileFormat, Intent, Script, bulk, scenarios};
use thinlab_trace::{Analysis, Options, Records, analyze, read_capture, records};

const MS: u64 = 1_000_000;

/// Half a minute of speech: every tenth message or so is lost, and comes again in a
/// bundle, after SACKs or by the timer.
fn lossy(bundles: bool) -> Script {
    let mut script = Script::new();
    let mut state = 7_u64;
    let mut lost_before = false;
    for n in 0..400_u64 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let delay = Fate::arrives((65 + (state >> 40) % 9) * MS);
        let lost = (state >> 33).is_multiple_of(11);
        let at_ns = (1_000 + n * 60) * MS;
        let fate = if lost { Fate::Lost } else { delay.clone() };
        if bundles && !n.is_multiple_of(3) {
            let intent = Intent::Bundle { new_from: n * 120 };
            script.data(at_ns, intent, (n - 1) * 120..n * 120 + 120, fate);
        } else {
            script.data(at_ns, Intent::New, n * 120..n * 120 + 120, fate);
        }
        if lost && !bundles {
            let after = if lost_before { 333 } else { 191 };
            let again = n * 120..n * 120 + 120;
            script.data(
                at_ns + after * MS + 11,
                Intent::Retransmission,
                again,
                delay,
            );
        }
        lost_before = lost;
    }
    script
}

fn analysed(files: &thinlab_trace::golden::Pair) -> Result<(Analysis, Records), Box<dyn Error>> {
    let (sender, receiver) = (read_capture(&files.sender)?, read_capture(&files.receiver)?);
    let analysis = analyze(&sender, &receiver, &Options::default())?;
    let records = records(&sender, &receiver, &analysis)?;
    Ok((analysis, records))
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("which folder?")?;
    let folder = Path::new(&folder);
    let late = scenarios::all().swap_remove(9).1;
    let traces = [
        ("lossy", lossy(false).run()),
        ("bundled", lossy(true).run()),
        ("spurious", late.run()),
        ("long", bulk(20_000)),
    ];
    let mut all = Vec::new();
    for (name, trace) in &traces {
        let files = trace.files(&FileFormat::default());
        let (analysis, records) = analysed(&files)?;
        fs::write(folder.join(format!("{name}-sender.pcapng")), &files.sender)?;
        fs::write(
            folder.join(format!("{name}-receiver.pcapng")),
            &files.receiver,
        )?;
        let latencies = Latencies::of(&analysis, Weight::Message);
        let connection = Connection::new(name, &analysis, &records);
        let series = [Series {
            label: name,
            latencies: &latencies,
        }];
        let pictures = [
            sequence(&connection, None)?,
            ladder(&connection, None)?,
            cdf(&series),
            boxes(&series),
        ];
        for picture in pictures {
            let file = format!("{name}-{}.svg", picture.name);
            fs::write(folder.join(file), picture.document())?;
        }
        let entry = Entry {
            connection: &connection,
            latencies: &latencies,
            span: None,
        };
        fs::write(folder.join(format!("{name}.html")), page(&entry)?)?;
        all.push((*name, latencies));
    }
    let series: Vec<Series> = all[..2]
        .iter()
        .map(|(label, latencies)| Series { label, latencies })
        .collect();
    fs::write(folder.join("both-cdf.svg"), cdf(&series).document())?;
    fs::write(folder.join("both-boxes.svg"), boxes(&series).document())?;
    Ok(())
}
