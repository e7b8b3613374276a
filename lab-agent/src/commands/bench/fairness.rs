//! What thin streams with the mechanisms take from others: ten of them and ten
//! bulk transfers before one bottleneck, against the same without mechanisms.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    Baseline, BulkStream, Flow, LaneSpec, Mechanism, Path, SessionLane, SessionSpec,
    SyntheticStream,
};

use super::figure::{Figure, LANE_SEED, median};
use crate::boot::Host;
use crate::engine::session::{self, FinishedFlow};
use crate::fault::{Fault, Outcome};

const FLOWS: usize = 10;
const RATE_BIT_PER_S: u64 = 20_000_000;
const DELAY_US: u64 = 65_000;
/// What is on its way in a round trip, in full packets.
const QUEUE_PACKETS: u32 = 215;
/// Twelve seconds of the whole link.
const BULK_BYTES: u64 = 3_000_000;
/// A stream like Skype's, for longer than the transfers take.
const THIN_BYTES: u32 = 236;
const THIN_IAT_US: u64 = 34_000;
const THIN_MESSAGES: u32 = 500;
/// Transfers begin so far apart: other times, other losses.
const BEGINNINGS_NS: [u64; 5] = [0, 7_000_000, 31_000_000, 67_000_000, 113_000_000];

/// What became of one session.
struct Shares {
    bulk_bit_per_s: f64,
    bulk_p99_us: f64,
    thin_bit_per_s: f64,
}

/// Measures in virtual time, beside CUBIC and beside BBR.
pub async fn figures(host: &Host) -> Outcome<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, baseline, names) in [
        (
            "CUBIC",
            Baseline::Modern,
            [
                "fairness_cubic_goodput_ratio",
                "fairness_cubic_p99_ratio",
                "fairness_cubic_share",
            ],
        ),
        (
            "BBR",
            Baseline::Bbr,
            [
                "fairness_bbr_goodput_ratio",
                "fairness_bbr_p99_ratio",
                "fairness_bbr_share",
            ],
        ),
    ] {
        let (mut goodput, mut p99, mut share) = (vec![], vec![], vec![]);
        for apart_ns in BEGINNINGS_NS {
            let off = run(host, baseline, &[], apart_ns).await?;
            let on = run(host, baseline, &Mechanism::RECOMMENDED, apart_ns).await?;
            goodput.push(on.bulk_bit_per_s / off.bulk_bit_per_s);
            p99.push(on.bulk_p99_us / off.bulk_p99_us);
            share.push(on.thin_bit_per_s / on.bulk_bit_per_s);
        }
        let what = format!(
            "{FLOWS} thin streams (236 B every 34 ms) beside {FLOWS} bulk transfers by {name}, \
             20 Mbit/s, 130 ms RTT, a queue of one round trip; median of {}",
            BEGINNINGS_NS.len()
        );
        let hows = [
            "goodput of the transfers, the mechanisms on against off",
            "their segments' 99th percentile from sending to availability, on against off",
            "what a thin stream sends, copies included, of what a transfer gets",
        ];
        for ((name, values), how) in names.into_iter().zip([goodput, p99, share]).zip(hows) {
            figures.push(Figure {
                name,
                value: median(values),
                unit: "x",
                how: format!("{how}; {what}"),
            });
        }
    }
    Ok(figures)
}

async fn run(
    host: &Host,
    baseline: Baseline,
    mechanisms: &[Mechanism],
    apart_ns: u64,
) -> Outcome<Shares> {
    let finished = session::run(host, spec(baseline, mechanisms, apart_ns), |_| ()).await?;
    let [thin, bulk] = &finished.0[..] else {
        return Err(Fault::Failed("a session of two lanes has others".into()));
    };
    let mean = |flows: &[FinishedFlow], of: fn(&FinishedFlow) -> f64| {
        flows.iter().map(of).sum::<f64>() / flows.len() as f64
    };
    Ok(Shares {
        bulk_bit_per_s: mean(&bulk.flows, |flow| bit_per_s(flow, |one| one.unique_bytes)),
        bulk_p99_us: mean(&bulk.flows, p99_us),
        thin_bit_per_s: mean(&thin.flows, |flow| bit_per_s(flow, |one| one.payload_bytes)),
    })
}

fn bit_per_s(flow: &FinishedFlow, bytes: fn(&lab_proto::TraceMetrics) -> u64) -> f64 {
    let sent = flow.result.metrics.as_ref().map_or(0, bytes);
    8e9 * sent as f64 / flow.result.stream_ns as f64
}

fn p99_us(flow: &FinishedFlow) -> f64 {
    let transport = flow
        .result
        .metrics
        .as_ref()
        .and_then(|one| one.transport.as_ref());
    let by_byte = transport.and_then(|one| one.per_byte.as_ref());
    by_byte.map_or(f64::NAN, |one| one.p99_us)
}

fn spec(baseline: Baseline, mechanisms: &[Mechanism], apart_ns: u64) -> SessionSpec {
    let path = Path {
        delay_us: DELAY_US,
        rate_bit_per_s: RATE_BIT_PER_S,
        queue_packets: QUEUE_PACKETS,
        ..Path::default()
    };
    let thin = LaneSpec {
        baseline: Baseline::Modern as i32,
        mechanisms: mechanisms.iter().map(|&one| one as i32).collect(),
        seed: LANE_SEED,
        ..LaneSpec::both_ways(path)
    };
    let others = LaneSpec {
        baseline: baseline as i32,
        ..LaneSpec::default()
    };
    SessionSpec {
        lanes: vec![
            beside(thin, |_| {
                Flow::from(Stream::Synthetic(SyntheticStream {
                    payload_bytes: THIN_BYTES,
                    iat_us: THIN_IAT_US,
                    iat_spread_us: 1_000,
                    messages: THIN_MESSAGES,
                    ..SyntheticStream::default()
                }))
            }),
            beside(others, |number| Flow {
                begins_ns: number * apart_ns,
                ..Flow::from(Stream::Bulk(BulkStream { bytes: BULK_BYTES }))
            }),
        ],
        shared_bottleneck: true,
    }
}

fn beside(lane: LaneSpec, flow: impl Fn(u64) -> Flow) -> SessionLane {
    SessionLane {
        lane: Some(lane),
        flows: (0..FLOWS as u64).map(flow).collect(),
        ..SessionLane::default()
    }
}
