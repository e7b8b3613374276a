//! A lane as the command line says it, the same in every command.
// SPDX-License-Identifier: Apache-2.0
use std::str::FromStr;

use clap::{Args, ValueEnum};
use lab_proto::path::Loss;
use lab_proto::{
    Baseline, BitErrors, Bundling, HiddenLossResponse, LaneSpec, Mechanism, Path, QueueDiscipline,
    Sctp, Tcp, UdpLite, UniformLoss,
};

use crate::fault::{Fault, Outcome};
use crate::lane::protocol::Protocol;

/// What all lanes of a command have in common; their mechanisms are named one
/// by one.
#[derive(Args)]
pub struct LaneOptions {
    /// Round-trip time, half of it in each direction.
    #[arg(long, default_value_t = 130.0)]
    pub rtt_ms: f64,
    /// Share of packets lost, uniformly, in each direction (5 % is 0.05).
    #[arg(long, default_value_t = 0.0)]
    loss_share: f64,
    /// Bits a second in each direction; 0 is unlimited.
    #[arg(long, default_value_t = 0)]
    rate_kbit_per_s: u64,
    /// Packets that may wait in each direction [default: 1000].
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    queue_packets: u32,
    /// Bytes that may wait for the rate in each direction, instead of packets.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    queue_bytes: u32,
    /// How packets wait for the rate in each direction [default: with those that are delayed].
    #[arg(long, value_enum)]
    queue_discipline: Option<QueueDiscipline>,
    /// Lets the queue discipline mark packets instead of dropping them, and both hosts ask for it.
    #[arg(long)]
    ecn: bool,
    /// Share of packets that overtake those before them, in each direction.
    #[arg(long, default_value_t = 0.0)]
    reorder_share: f64,
    /// Share of packets that arrive twice, in each direction.
    #[arg(long, default_value_t = 0.0)]
    duplicate_share: f64,
    /// Bit errors in each direction: for how long the radio link is good and bad, on average,
    /// and the share of bits flipped while it is bad, such as 2000,30,0.01.
    #[arg(long, value_name = "GOOD_MS,BAD_MS,SHARE", value_parser = bit_errors)]
    bit_errors: Option<BitErrors>,
    /// The longest packet in each direction, IP header included; of TCP [default: 1500].
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    mtu_bytes: u32,
    /// The transport protocol, and the rest of its configuration.
    #[arg(long, value_enum, default_value = "newreno2008")]
    baseline: Baseline,
    /// Bundling: the most payload in a packet that bundles [default: a whole segment].
    #[arg(long)]
    bundling_max_bytes: Option<u32>,
    /// Bundling: the most earlier segments in one packet [default: all that fit].
    #[arg(long)]
    bundling_max_packets: Option<u32>,
    /// Bundling: what a loss does that a bundle has repaired [default: the baseline's].
    #[arg(long, value_enum)]
    hidden_loss_response: Option<HiddenLossResponse>,
    /// Bundling: streams with less time between segments are left alone [default: 5000].
    #[arg(long)]
    bundling_min_iat_us: Option<u64>,
    /// TCP: the largest window that either end advertises [default: the kernel's].
    #[arg(long)]
    tcp_window_bytes: Option<u32>,
    /// TCP: full packets that may leave before the first is acknowledged [default: 10].
    #[arg(long)]
    tcp_initial_window_packets: Option<u32>,
    /// SCTP: streams that messages take in turn [default: one].
    #[arg(long)]
    sctp_streams: Option<u32>,
    /// SCTP: each message is read as soon as it is whole.
    #[arg(long)]
    sctp_unordered: bool,
    /// SCTP: how long the receiver may wait with a SACK; 0: not at all [default: the kernel's].
    #[arg(long)]
    sctp_sack_delay_ms: Option<u32>,
    /// UDP-Lite: how many bytes of each message the checksum covers [default: none].
    #[arg(long)]
    udp_lite_covered_bytes: Option<u32>,
    /// Of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// `bundling,linear_timeouts`; nothing names none.
#[derive(Clone, Default)]
pub struct Mechanisms(Vec<i32>);

impl FromStr for Mechanisms {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = text.split(',').filter(|name| !name.is_empty());
        let numbers = names.map(|name| Mechanism::from_str(name, false).map(|one| one as i32));
        numbers.collect::<Result<_, _>>().map(Self)
    }
}

/// One lane, and what is on in it.
#[derive(Args)]
pub struct OneLane {
    #[command(flatten)]
    pub options: LaneOptions,
    /// What to switch on: names joined by commas.
    #[arg(
        long,
        value_name = "MECHANISM,…",
        default_value = "",
        hide_default_value = true
    )]
    pub mechanisms: Mechanisms,
}

impl OneLane {
    /// As [`LaneOptions::lane`].
    pub fn spec(&self) -> Outcome<LaneSpec> {
        self.options.lane(&self.mechanisms)
    }
}

/// What a command sends where it is given no sound.
#[derive(Args)]
pub struct Messages {
    /// Without --audio: the size of a message.
    #[arg(long, default_value_t = 120)]
    pub payload_bytes: u32,
    /// Without --audio: the time between two messages.
    #[arg(long, default_value_t = 140.0)]
    pub iat_ms: f64,
}

impl LaneOptions {
    /// The lane with these mechanisms. Bundling's settings are of those lanes
    /// that bundle.
    ///
    /// # Errors
    /// `Invalid` where the round trip is no time.
    pub fn lane(&self, mechanisms: &Mechanisms) -> Outcome<LaneSpec> {
        let path = Path {
            delay_us: microseconds("--rtt-ms", self.rtt_ms / 2.0)?,
            loss: Some(Loss::Uniform(UniformLoss {
                loss_share: self.loss_share,
            })),
            rate_bit_per_s: self.rate_kbit_per_s * 1000,
            queue_packets: self.queue_packets,
            queue_bytes: self.queue_bytes,
            queue_discipline: self.queue_discipline.unwrap_or_default() as i32,
            ecn: self.ecn,
            reorder_share: self.reorder_share,
            duplicate_share: self.duplicate_share,
            bit_errors: self.bit_errors,
            mtu_bytes: self.mtu_bytes,
            ..Path::default()
        };
        let bundles = mechanisms.0.contains(&(Mechanism::Bundling as i32));
        Ok(LaneSpec {
            baseline: self.baseline as i32,
            bundling: self.bundling().filter(|_| bundles),
            mechanisms: mechanisms.0.clone(),
            tcp: self.tcp(),
            sctp: self.sctp(),
            udp_lite: self.udp_lite(),
            seed: self.seed,
            ..LaneSpec::both_ways(path)
        })
    }

    /// All mechanisms that the baseline's protocol has and that serve people.
    pub fn every_mechanism(&self) -> Mechanisms {
        let all: &[Mechanism] = match Protocol::of(self.baseline) {
            Protocol::Tcp => &Mechanism::OF_TCP,
            Protocol::Sctp => &Mechanism::OF_SCTP,
            Protocol::Udp | Protocol::UdpLite => &[],
        };
        let serving = all
            .iter()
            .filter(|one| !Mechanism::TAKES_DAMAGE.contains(one));
        Mechanisms(serving.map(|one| *one as i32).collect())
    }

    /// A lane with the same baseline that has no path of its own, for what competes.
    pub fn unmodified(&self) -> LaneSpec {
        LaneSpec {
            baseline: self.baseline as i32,
            tcp: self.tcp(),
            sctp: self.sctp(),
            udp_lite: self.udp_lite(),
            ..LaneSpec::default()
        }
    }

    /// What was said about TCP, if anything was.
    fn tcp(&self) -> Option<Tcp> {
        let settings = Tcp {
            window_bytes: self.tcp_window_bytes.unwrap_or_default(),
            initial_window_packets: self.tcp_initial_window_packets.unwrap_or_default(),
        };
        (settings != Tcp::default()).then_some(settings)
    }

    /// What was said about SCTP, if anything was.
    fn sctp(&self) -> Option<Sctp> {
        let settings = Sctp {
            streams: self.sctp_streams.unwrap_or_default(),
            unordered: self.sctp_unordered,
            sack_delay_ms: self.sctp_sack_delay_ms,
        };
        (settings != Sctp::default()).then_some(settings)
    }

    /// What was said about UDP-Lite, if anything was.
    fn udp_lite(&self) -> Option<UdpLite> {
        let covered_bytes = self.udp_lite_covered_bytes?;
        Some(UdpLite { covered_bytes })
    }

    /// Refuses settings of bundling where none of the lanes bundles.
    ///
    /// # Errors
    /// `Invalid`, naming what to do about it.
    pub fn expect_bundling<'a>(
        &self,
        mut lanes: impl Iterator<Item = &'a Mechanisms>,
    ) -> Outcome<()> {
        let bundling = Mechanism::Bundling as i32;
        if self.bundling().is_none() || lanes.any(|lane| lane.0.contains(&bundling)) {
            return Ok(());
        }
        Err(Fault::Invalid(
            "settings of bundling are given, but bundling is never on: name it among the mechanisms"
                .into(),
        ))
    }

    /// What was said about bundling, if anything was.
    fn bundling(&self) -> Option<Bundling> {
        let settings = Bundling {
            max_bytes: self.bundling_max_bytes.unwrap_or_default(),
            max_packets: self.bundling_max_packets.unwrap_or_default(),
            hidden_loss_response: self.hidden_loss_response.unwrap_or_default() as i32,
            min_iat_us: self.bundling_min_iat_us,
        };
        (settings != Bundling::default()).then_some(settings)
    }
}

/// `2000,30,0.01`: good for 2 s, bad for 30 ms, one bit in a hundred flipped while bad.
fn bit_errors(text: &str) -> Result<BitErrors, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(str::parse).collect();
    let Ok(&[good_ms, bad_ms, error_share_bad]) = numbers.as_deref() else {
        return Err(
            "must be three numbers: good ms, bad ms, share of bits flipped while bad".into(),
        );
    };
    let us = |ms| microseconds("a time", ms).map_err(|fault| fault.to_string());
    Ok(BitErrors {
        good_us: us(good_ms)?,
        bad_us: us(bad_ms)?,
        error_share_bad,
        ..BitErrors::default()
    })
}

/// Of a time that an option gives in milliseconds.
///
/// # Errors
/// `Invalid`, naming the option, where it is below 0 or no number.
pub fn microseconds(option: &str, ms: f64) -> Outcome<u64> {
    if ms.is_finite() && ms >= 0.0 {
        return Ok((ms * 1000.0).round() as u64);
    }
    Err(Fault::Invalid(format!("{option} must be 0 or more")))
}
