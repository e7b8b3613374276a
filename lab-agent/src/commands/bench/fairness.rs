//! What thin streams with the mechanisms take from others: ten of them and ten
//! bulk transfers before one bottleneck, against the same without mechanisms.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    Baseline, BulkStream, Flow, LaneSpec, Mechanism, Path, SessionLane, SessionSpec,
    SyntheticStream,
};

use super::figure::{Figure, LANE_SEED};
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
/// Transfers begin so far apart, other in each session: other times, other losses. What those change is several
/// times what the thin streams take, so it takes many to tell.
const SESSIONS: u64 = 40;
const APART_NS: u64 = 7_000_000;

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
        for number in 1..=SESSIONS {
            let off = run(host, baseline, &[], number * APART_NS).await?;
            let on = run(host, baseline, &Mechanism::RECOMMENDED, number * APART_NS).await?;
            goodput.push((on.bulk_bit_per_s, off.bulk_bit_per_s));
            p99.push((on.bulk_p99_us, off.bulk_p99_us));
            share.push((on.thin_bit_per_s, on.bulk_bit_per_s));
        }
        let what = format!(
            "{FLOWS} thin streams (236 B every 34 ms) beside {FLOWS} bulk transfers by {name}, \
             20 Mbit/s, 130 ms RTT, a queue of one round trip"
        );
        let hows = [
            "goodput of the transfers, the mechanisms on against off",
            "their segments' 99th percentile from sending to availability, on against off",
            "what a thin stream sends, copies included, of what a transfer gets",
        ];
        for ((name, pairs), how) in names.into_iter().zip([goodput, p99, share]).zip(hows) {
            let ratio = Ratio::of(&pairs);
            figures.push(Figure {
                name,
                value: ratio.value,
                unit: "x",
                how: format!("{how}; {what}; ± {:.3}, {SESSIONS} pairs", ratio.half_width),
            });
        }
    }
    Ok(figures)
}

/// What one thing is of another that was measured beside it.
struct Ratio {
    value: f64,
    /// Of its 95 % confidence interval, by the normal approximation.
    half_width: f64,
}

impl Ratio {
    /// Of the means: a session in which little came through then counts for little.
    fn of(pairs: &[(f64, f64)]) -> Ratio {
        let many = pairs.len() as f64;
        let of_all: f64 = pairs.iter().map(|pair| pair.1).sum();
        let value = pairs.iter().map(|pair| pair.0).sum::<f64>() / of_all;
        let squares: f64 = pairs
            .iter()
            .map(|pair| (pair.0 - value * pair.1).powi(2))
            .sum();
        Ratio {
            value,
            half_width: 1.96 * (squares * many / (many - 1.0)).sqrt() / of_all,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::Ratio;

    #[test]
    fn pairs_that_agree_leave_no_doubt() {
        let ratio = Ratio::of(&[(1.0, 2.0), (3.0, 6.0), (2.0, 4.0)]);
        assert!((ratio.value - 0.5).abs() < 1e-12);
        assert!(ratio.half_width < 1e-12);
    }

    #[test]
    fn the_interval_is_that_of_the_mean_where_the_other_is_fixed() {
        let ratio = Ratio::of(&[(0.9, 1.0), (1.0, 1.0), (1.1, 1.0), (1.0, 1.0)]);
        assert!((ratio.value - 1.0).abs() < 1e-12);
        let deviation = (0.02_f64 / 3.0).sqrt();
        assert!((ratio.half_width - 1.96 * deviation / 2.0).abs() < 1e-12);
    }
}
