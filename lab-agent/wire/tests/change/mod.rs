//! Scripts of ours in which one thing that they expect is another.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::{Path, PathBuf};

/// Writes changed copies of the scripts in `from`, one in `one_in` of all that there
/// can be, and what they call, to `to`. Gives the copies.
pub fn write(from: &Path, to: &Path, one_in: usize) -> Vec<PathBuf> {
    let mut copies = Vec::new();
    let mut found = 0;
    for path in inside(from) {
        let target = to.join(path.file_name().unwrap());
        if path.is_file() {
            fs::copy(path, target).unwrap();
            continue;
        }
        fs::create_dir(&target).unwrap();
        for script in inside(&path) {
            let name = script.file_stem().unwrap().to_str().unwrap();
            for (which, text) in changed(&fs::read_to_string(&script).unwrap()) {
                found += 1;
                if found % one_in == 0 {
                    let copy = target.join(format!("{name}-{which}.pkt"));
                    fs::write(&copy, text).unwrap();
                    copies.push(copy);
                }
            }
        }
    }
    copies
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// A script with each of its changes, and what tells it from the others.
fn changed(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for (which, other) in otherwise(line).iter().enumerate() {
            let mut lines = lines.clone();
            lines[at] = other;
            all.push((format!("{}-{which}", at + 1), lines.join("\n")));
        }
    }
    all
}

/// What a line of ours expects, each thing changed alone.
fn otherwise(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    if let Some((time, packet)) = line.split_once(" > ") {
        all.extend([" ack ", " ecr ", "sack ", " urg "].map(|what| with_another(line, what)));
        all.push(Some(format!("{} > {packet}", later(time))));
        // What a SYN/ACK says is the number from which the script counts.
        let counted = !packet.starts_with("S.");
        all.push(counted.then(|| format!("{time} > {}", with_other_bytes(packet, 1, 1))));
        all.push(Some(format!("{time} > {}", with_other_bytes(packet, 0, 1))));
        all.push(Some(format!("{time} > {}", with_another_push(packet))));
        for (ecn, other) in [("[noecn]", "[ect0]"), ("[ect0]", "[noecn]")] {
            all.push(packet.contains(ecn).then(|| line.replacen(ecn, other, 1)));
        }
    } else if line.contains("assert ") {
        all.push(with_another(line, "== "));
        for (what, other) in [
            ("== TCP_CA_Open", "== TCP_CA_Loss"),
            ("== TCP_CA_", "!= TCP_CA_"),
            (">=", "<"),
            ("<=", ">"),
        ] {
            all.push(line.contains(what).then(|| line.replacen(what, other, 1)));
        }
    } else if line.contains("counters.sh") {
        for word in line.split_whitespace().filter(|word| word.contains('=')) {
            let (name, span) = word.trim_end_matches('`').split_once('=').unwrap();
            let (low, high) = span.split_once("..").unwrap_or((span, span));
            // Above what there may be, or below where all above is right.
            let other = match high.parse::<u32>() {
                Ok(high) => format!("{name}={}", high + 1),
                Err(_) => format!("{name}=0..{}", low.parse::<u32>().unwrap() - 1),
            };
            all.push(Some(line.replacen(&format!("{name}={span}"), &other, 1)));
        }
    } else if line.contains("getsockopt(") {
        all.push(with_another(line, ", ["));
    } else if ["write(", "send(", "read("]
        .iter()
        .any(|call| line.contains(call))
    {
        all.push(with_another(line, ") = "));
    }
    all.into_iter().flatten().collect()
}

/// A time, or a span of it, after all that is allowed.
fn later(time: &str) -> String {
    let latest = time.rsplit('+').next().unwrap();
    let latest: f64 = format!("0{latest}").parse().unwrap();
    format!("+{:.3}~+{:.3}", latest + 0.003, latest + 0.004)
}

/// A packet whose first and last byte lie so much further.
fn with_other_bytes(packet: &str, first: u32, last: u32) -> String {
    let word = packet.split_whitespace().find(|word| word.contains(':'));
    let word = word.unwrap();
    let numbers: Vec<u32> = word
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let (from, to) = (numbers[0] + first, numbers[1] + last);
    packet.replacen(word, &format!("{from}:{to}({})", to - from), 1)
}

/// A packet with PSH where it has none, and the other way round.
fn with_another_push(packet: &str) -> String {
    let flags = packet
        .split_whitespace()
        .find(|word| !word.starts_with('['))
        .unwrap();
    let other = if flags.contains('P') {
        flags.replace('P', "")
    } else {
        format!("P{flags}")
    };
    packet.replacen(&format!("{flags} "), &format!("{other} "), 1)
}

/// A copy of a line with another number behind `before`, if it has one.
pub fn with_another(line: &str, before: &str) -> Option<String> {
    let (front, rest) = line.split_once(before)?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit());
    let (number, rest) = rest.split_at(digits.unwrap_or(rest.len()));
    let number: u32 = number.parse().ok()?;
    Some(format!("{front}{before}{}{rest}", number + 1))
}
