//! How long a sender waits for acknowledgements, and lost bytes for their turn.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{LatencyDistribution, RetransmissionLatency};

use crate::traffic::Traffic;

/// How long it took until the sender knew, and until what it sent again was there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recoveries {
    /// From the first transmission of a packet's new bytes until an acknowledgement of
    /// all of them came, at the sender; a sample each.
    pub time_to_ack: LatencyDistribution,
    /// Transport latency of the bytes that their first retransmission brought, of those
    /// that the second brought, and so on; a sample each byte. The sixteenth stands for
    /// later ones, too.
    pub by_ordinal: Vec<LatencyDistribution>,
}

impl Recoveries {
    /// In the contract's terms: which of them brought anything, and how late.
    pub fn told(&self) -> RetransmissionLatency {
        let nth = |nth: usize| {
            let one = self.by_ordinal.get(nth - 1);
            one.filter(|latency| latency.samples > 0).cloned()
        };
        RetransmissionLatency {
            first: nth(1),
            second: nth(2),
            third: nth(3),
        }
    }
}

impl Traffic {
    /// The loss rate that a sender can estimate by itself: retransmissions of all its
    /// data packets. Needless retransmissions raise it, losses that bundles repaired are
    /// missing from it.
    pub fn estimated_loss_share(&self) -> f64 {
        self.retransmitted_packets as f64 / self.data_packets.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_brought_nothing_is_absent() {
        let latency = |samples| LatencyDistribution {
            samples,
            ..LatencyDistribution::default()
        };
        let told = Recoveries {
            by_ordinal: vec![latency(3), latency(0)],
            ..Recoveries::default()
        }
        .told();
        assert_eq!(told.first, Some(latency(3)));
        assert_eq!((told.second, told.third), (None, None));
    }
}
