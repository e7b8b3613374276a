//! One page with figures and pictures that opens from disk: nothing is fetched,
//! and everything works without its script but zooming.
// SPDX-License-Identifier: Apache-2.0

use std::fmt::Write as _;

use thinlab_trace::Analysis;

use crate::connection::{Connection, Span};
use crate::curve::{Curve, Latencies};
use crate::markup::{Escaped, Grouped};
use crate::picture::{Picture, PictureError, Series, boxes, cdf, ladder, page_style, sequence};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// Of the script, for the page's own policy: no other may run. A test compares.
const SCRIPT_SHA256: &str = "T3FXkvODkdvrnvFE3QPUZKERSG5qpkZDsb4vTRPUptA=";

/// What a page is about.
pub struct Entry<'a> {
    /// The connection.
    pub connection: &'a Connection<'a>,
    /// Its curves by message.
    pub latencies: &'a Latencies,
    /// Which time the time-sequence diagram and the ladder show, if not that of
    /// their own choice.
    pub span: Option<Span>,
}

/// The page of a connection.
///
/// # Errors
/// [`PictureError`] when the span does not fit.
pub fn page(entry: &Entry) -> Result<String, PictureError> {
    let Entry {
        connection,
        latencies,
        span,
    } = *entry;
    let series = [Series {
        label: connection.label,
        latencies,
    }];
    let pictures = [
        sequence(connection, span)?,
        ladder(connection, span)?,
        cdf(&series),
        boxes(&series),
    ];
    let mut out = String::new();
    let label = Escaped(connection.label);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'sha256-{SCRIPT_SHA256}'; base-uri 'none'; form-action 'none'\">\n\
         <title>{label}</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{label}</h1>\n\
         <p class=\"flow\">{} → {}</p>\n",
        page_style(),
        connection.analysis.flow.sender,
        connection.analysis.flow.receiver,
    );
    for warning in &connection.analysis.warnings {
        let _ = writeln!(
            out,
            "<p class=\"warning\"><strong>Warning:</strong> {}</p>",
            Escaped(&warning.to_string())
        );
    }
    out.push_str("<div class=\"tables\">\n");
    sent(&mut out, connection.analysis);
    path(&mut out, connection.analysis);
    waited(&mut out, latencies);
    out.push_str("</div>\n<div class=\"pictures\">\n");
    for picture in &pictures {
        figure(&mut out, picture);
    }
    let _ = write!(
        out,
        "</div>\n<footer class=\"hint\">Pictures can be zoomed and moved: focus one and press + − 0 or the arrows, \
         drag it, or turn the wheel with Ctrl.</footer>\n</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    );
    Ok(out)
}

fn figure(out: &mut String, picture: &Picture) {
    let heading = match picture.name {
        "time-sequence" => "Time-sequence",
        "ladder" => "Ladder",
        "cdf" => "Latency distribution",
        _ => "Box plot",
    };
    let _ = write!(
        out,
        "<figure>\n<figcaption><h2>{heading}</h2><span class=\"tools\">\
         <button type=\"button\" data-action=\"in\" aria-label=\"Zoom in: {heading}\">+</button>\
         <button type=\"button\" data-action=\"out\" aria-label=\"Zoom out: {heading}\">−</button>\
         <button type=\"button\" data-action=\"reset\" aria-label=\"Whole picture: {heading}\">1:1</button>\
         </span></figcaption>\n<div class=\"view\">\n{}</div>\n</figure>\n",
        picture.inline()
    );
}

/// A table whose first column names its rows.
fn table(out: &mut String, caption: &str, head: &[&str], rows: &[(String, Vec<String>)]) {
    let caption = Escaped(caption);
    let _ = write!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\"><table>\
         <caption>{caption}</caption>\n<thead><tr><td></td>"
    );
    for name in head {
        let _ = write!(out, "<th scope=\"col\">{}</th>", Escaped(name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (name, cells) in rows {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", Escaped(name));
        for cell in cells {
            let _ = write!(out, "<td>{}</td>", Escaped(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

fn sent(out: &mut String, analysis: &Analysis) {
    let (metrics, traffic) = (&analysis.metrics, &analysis.traffic);
    let all = metrics.payload_bytes.max(1) as f64;
    let row = |name: &str, bytes: u64, packets: Option<u64>| {
        let share = format!("{:.2} %", 100.0 * bytes as f64 / all);
        let packets = packets.map_or(String::new(), |packets| Grouped(packets).to_string());
        (
            name.to_owned(),
            vec![Grouped(bytes).to_string(), share, packets],
        )
    };
    let rows = [
        row(
            "payload, copies too",
            metrics.payload_bytes,
            Some(metrics.packets),
        ),
        row("distinct", metrics.unique_bytes, None),
        row("available in order", metrics.delivered_bytes, None),
        row(
            "retransmitted",
            metrics.retransmitted_bytes,
            Some(metrics.retransmitted_packets),
        ),
        row(
            "↳ of those spurious",
            traffic.spurious_bytes,
            Some(traffic.spurious_packets),
        ),
        row(
            "bundled",
            traffic.bundled_bytes,
            Some(traffic.bundle_packets),
        ),
        row("↳ of those first here", traffic.bundle_hit_bytes, None),
    ];
    table(out, "What was sent", &["bytes", "share", "packets"], &rows);
}

fn path(out: &mut String, analysis: &Analysis) {
    let rows =
        [("forward", &analysis.forward), ("back", &analysis.backward)].map(|(name, count)| {
            let share = 100.0 * count.lost as f64 / count.sent.max(1) as f64;
            let cells = [count.sent, count.arrived, count.lost].map(|it| Grouped(it).to_string());
            let rest = [
                format!("{share:.2} %"),
                Grouped(count.duplicated).to_string(),
                Grouped(count.damaged).to_string(),
            ];
            (name.to_owned(), cells.into_iter().chain(rest).collect())
        });
    let head = ["sent", "arrived", "lost", "share", "duplicated", "damaged"];
    table(out, "Packets on the path", &head, &rows);
}

fn waited(out: &mut String, latencies: &Latencies) {
    const SHARES: [(&str, u64); 7] = [
        ("min", 0),
        ("50 %", 500),
        ("90 %", 900),
        ("95 %", 950),
        ("99 %", 990),
        ("99.9 %", 999),
        ("max", 1_000),
    ];
    let figures = |curve: &Curve| -> Vec<String> {
        let figure = |(_, permille): &(&str, u64)| {
            let latency_ns = curve.quantile(*permille, 1_000);
            latency_ns.map_or("–".to_owned(), |ns| format!("{:.3}", ns as f64 / 1e6))
        };
        SHARES.iter().map(figure).collect()
    };
    let rows: Vec<(String, Vec<String>)> = latencies
        .named()
        .map(|(name, curve)| (name.to_owned(), figures(curve)))
        .collect();
    let head = SHARES.map(|(name, _)| name);
    table(out, "Latency of messages, ms", &head, &rows);
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::{SCRIPT, SCRIPT_SHA256};

    #[test]
    fn the_policy_lets_this_script_run() {
        assert_eq!(base64(&Sha256::digest(SCRIPT)), SCRIPT_SHA256);
        assert!(!SCRIPT.contains("</"), "it would end the element");
    }

    fn base64(bytes: &[u8]) -> String {
        const SIGNS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = String::new();
        for three in bytes.chunks(3) {
            let bits = three
                .iter()
                .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte))
                << (8 * (3 - three.len()));
            for nth in 0..4 {
                let sign = SIGNS[(bits >> (18 - 6 * nth) & 63) as usize];
                out.push(if nth <= three.len() {
                    sign as char
                } else {
                    '='
                });
            }
        }
        out
    }
}
