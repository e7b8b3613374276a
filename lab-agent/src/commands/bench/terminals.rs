//! What terminals cost and give: the emulator's truth, what the agent adds to a
//! key, what the mechanisms do for echoes, and what a thousand leave behind.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::time::{Duration, Instant};

use lab_proto::{Editor, LaneSpec, Mechanism, Path, TerminalOpen};

use super::figure::{Figure, lane};
use crate::boot::Host;
use crate::commands::typist::many::{Holdings, run_all};
use crate::commands::typist::stroke::{self, Stroke};
use crate::commands::typist::{AT_ONCE_MS, Typed, summary};
use crate::fault::Outcome;

const DELAY_US: u64 = 65_000;
const ROUND_TRIP_MS: f64 = 130.0;
const LOSS_SHARE: f64 = 0.05;
/// The mean of the papers' SSH trace: what stands between them and us is then
/// the network alone.
const IAT: Duration = Duration::from_millis(83);
const TRUTH_KEYS: usize = 300;
/// Together a little over two thousand keys.
const LOSSY_TERMINALS: usize = 10;
const LOSSY_KEYS: usize = 205;
const MANY: usize = 1000;
const MANY_AT_ONCE: usize = 10;
const MANY_KEYS: usize = 5;
const MANY_DELAY_US: u64 = 10_000;

/// Measures all of it; nothing else should run on the machine.
pub async fn figures(host: &Arc<Host>) -> Outcome<Vec<Figure>> {
    let mut figures = truth(host).await?;
    figures.extend(echoes(host).await?);
    figures.extend(left_behind(host).await?);
    Ok(figures)
}

/// One person alone, nothing lost.
async fn truth(host: &Arc<Host>) -> Outcome<Vec<Figure>> {
    let scripts = vec![script(clean(DELAY_US), TRUTH_KEYS, 1)];
    let typed = type_all(host, scripts, 1).await?;
    let round_trip = summary::round_trip(&typed);
    let added = summary::added(&typed);
    let editor = summary::stretch(&typed, |l| l.key_delivered_ns, |l| l.echo_written_ns);
    let what = format!(
        "{TRUTH_KEYS} keys in nano over a lane of 130 ms without loss, 83 ms apart on average, \
         one terminal alone"
    );
    let figure = |name, value, how: String| Figure {
        name,
        value,
        unit: "ms",
        how: format!("{how}; {what}"),
    };
    let error = "key's packet there and echo's packet back, between the captures, less 130 ms";
    let adds = format!(
        "from the request with the key to its screen's event, less the way of SSH's packets: agent, \
         serial line, guest, SSH's client; the server and the editor take another {:.1} ms",
        editor.p50_ms
    );
    Ok(vec![
        figure(
            "lane_rtt_error_p50_ms",
            round_trip.p50_ms - ROUND_TRIP_MS,
            error.into(),
        ),
        figure(
            "lane_rtt_error_p99_ms",
            round_trip.p99_ms - ROUND_TRIP_MS,
            error.into(),
        ),
        figure("terminal_added_p50_ms", added.p50_ms, adds.clone()),
        figure("terminal_added_p99_ms", added.p99_ms, adds),
        figure(
            "lane_open_ms",
            typed[0].opening_lane.as_secs_f64() * 1e3,
            "a terminal's lane in a host in real time, from the beginning to that of the login"
                .into(),
        ),
        Figure {
            name: "terminal_ready_seconds",
            value: typed[0].getting_ready.as_secs_f64(),
            unit: "s",
            how: "from the request to a terminal that one can type in, 130 ms round trip".into(),
        },
    ])
}

/// The papers' comparison: 130 ms, 5 % loss, nothing against everything.
async fn echoes(host: &Arc<Host>) -> Outcome<Vec<Figure>> {
    let off = lossy(host, &[]).await?;
    let all = lossy(host, &Mechanism::PAPERS).await?;
    let one_way_ms = DELAY_US as f64 / 1e3;
    let keys =
        |typed: &[Typed]| summary::stretch(typed, |l| l.key_written_ns, |l| l.key_delivered_ns);
    let echo =
        |typed: &[Typed]| summary::stretch(typed, |l| l.key_written_ns, |l| l.echo_delivered_ns);
    let (keys_off, keys_all) = (keys(&off), keys(&all));
    let (echo_off, echo_all) = (echo(&off), echo(&all));
    let keys_at_once = |s: &summary::Stretch| s.share_within(one_way_ms + AT_ONCE_MS);
    let echo_at_once = |s: &summary::Stretch| s.share_within(ROUND_TRIP_MS + AT_ONCE_MS);
    let what = format!(
        "SSH on newreno2008, 130 ms, 5 % loss, keys 83 ms apart on average, {} keys off and {} all; \
         at once: within {AT_ONCE_MS:.0} ms of the path",
        echo_off.keys, echo_all.keys
    );
    let reached = keys_off.quantile(keys_at_once(&keys_all)) - one_way_ms;
    let figure = |name, value, unit, how: String| Figure {
        name,
        value,
        unit,
        how: format!("{how}; {what}"),
    };
    Ok(vec![
        figure(
            "ssh_keys_at_once_share_all",
            keys_at_once(&keys_all),
            "",
            format!(
                "keys at the server at once with all mechanisms (the papers' SSH trace, one way: \
                 0.94); off: {:.3}",
                keys_at_once(&keys_off)
            ),
        ),
        figure(
            "ssh_keys_off_reaches_ms",
            reached,
            "ms",
            "beyond the path's delay, when as many keys are at the server with plain TCP (the \
             papers: more than 400 ms)"
                .into(),
        ),
        figure(
            "ssh_echo_at_once_share_off",
            echo_at_once(&echo_off),
            "",
            format!("echoes at once; recoveries {}", told(&off)),
        ),
        figure(
            "ssh_echo_at_once_share_all",
            echo_at_once(&echo_all),
            "",
            format!("echoes at once; recoveries {}", told(&all)),
        ),
        figure(
            "ssh_echo_p99_off_ms",
            echo_off.p99_ms,
            "ms",
            quantiles(&echo_off),
        ),
        figure(
            "ssh_echo_p99_all_ms",
            echo_all.p99_ms,
            "ms",
            quantiles(&echo_all),
        ),
    ])
}

async fn lossy(host: &Arc<Host>, mechanisms: &[Mechanism]) -> Outcome<Vec<Typed>> {
    let scripts = (0..LOSSY_TERMINALS as u64).map(|index| {
        let numbers = mechanisms.iter().map(|&one| one as i32).collect();
        let lane = LaneSpec {
            seed: index + 1,
            ..lane(numbers, LOSS_SHARE)
        };
        // The same fingers on every lane of the other mode.
        script(lane, LOSSY_KEYS, index + 1)
    });
    type_all(host, scripts.collect(), LOSSY_TERMINALS).await
}

/// A thousand, opened, typed in and closed.
async fn left_behind(host: &Arc<Host>) -> Outcome<Vec<Figure>> {
    let before = Holdings::at_rest(host).await?;
    let scripts = (0..MANY as u64).map(|index| script(clean(MANY_DELAY_US), MANY_KEYS, index));
    let start = Instant::now();
    let mut over = 0;
    run_all(host, scripts.collect(), MANY_AT_ONCE, |_| over += 1).await?;
    let seconds = start.elapsed().as_secs_f64();
    let after = Holdings::settled(host, &before).await?;
    let grown = |now: u64, then: u64| now as f64 - then as f64;
    Ok(vec![
        Figure {
            name: "terminals_left_behind",
            value: after.extra(&before) as f64,
            unit: "",
            how: format!(
                "processes, network namespaces and descriptors, in the guests and here, that are \
                 there after {over} terminals and were not before; memory: guests {:+.1} MiB, agent \
                 {:+.1} MiB",
                grown(after.guest_memory_kib, before.guest_memory_kib) / 1024.0,
                grown(after.memory_kib, before.memory_kib) / 1024.0,
            ),
        },
        Figure {
            name: "terminals_per_second",
            value: over as f64 / seconds,
            unit: "/s",
            how: format!(
                "opened, {MANY_KEYS} keys typed, saved, closed and worked out, {MANY_AT_ONCE} at \
                 once, 20 ms round trip"
            ),
        },
    ])
}

fn script(lane: LaneSpec, keys: usize, seed: u64) -> (TerminalOpen, Vec<Stroke>) {
    let open = crate::commands::typist::open(lane, Editor::Nano);
    (open, stroke::text(keys, IAT, seed))
}

async fn type_all(
    host: &Arc<Host>,
    scripts: Vec<(TerminalOpen, Vec<Stroke>)>,
    at_once: usize,
) -> Outcome<Vec<Typed>> {
    let mut typed = Vec::new();
    run_all(host, scripts, at_once, |one| typed.push(one)).await?;
    Ok(typed)
}

fn clean(delay_us: u64) -> LaneSpec {
    let path = Path {
        delay_us,
        ..Path::default()
    };
    LaneSpec {
        forward: Some(path.clone()),
        backward: Some(path),
        ..lane(vec![], 0.0)
    }
}

fn quantiles(stretch: &summary::Stretch) -> String {
    let shares = [0.5, 0.9, 0.95, 0.98, 0.99];
    let told = shares.map(|share| format!("{:.0}", stretch.quantile(share)));
    format!("key to echo; 50, 90, 95, 98, 99 %: {} ms", told.join(", "))
}

fn told(typed: &[Typed]) -> String {
    let kinds = summary::recoveries(typed).into_iter().skip(1);
    let told =
        kinds.map(|(kind, keys, echoes)| format!("{} {}", kind.to_lowercase(), keys + echoes));
    told.collect::<Vec<_>>().join(", ")
}
