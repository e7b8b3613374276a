//! A lane while it gets ready.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{LaneSpec, Path};

/// As long as `whole` and with its mechanisms, but with nothing else of its
/// path: the same way for every condition. Only whether its hosts speak ECN stays, and
/// how long packets may be, because a connection settles that when it is opened.
pub fn calm(whole: &LaneSpec) -> LaneSpec {
    let path = |path: &Option<Path>| {
        path.as_ref().map(|path| Path {
            delay_us: path.delay_us,
            ecn: path.ecn,
            mtu_bytes: path.mtu_bytes,
            ..Path::default()
        })
    };
    LaneSpec {
        forward: path(&whole.forward),
        backward: path(&whole.backward),
        ..whole.clone()
    }
}

#[cfg(test)]
mod tests {
    use lab_proto::path::Loss;
    use lab_proto::{BitErrors, Mechanism, QueueDiscipline, UniformLoss};

    use super::*;

    #[test]
    fn getting_ready_keeps_delay_and_mechanisms_alone() {
        let path = Path {
            delay_us: 65_000,
            jitter_us: 10_000,
            loss: Some(Loss::Uniform(UniformLoss { loss_share: 0.05 })),
            rate_bit_per_s: 64_000,
            queue_packets: 5,
            corrupt_share: 0.01,
            reorder_share: 0.01,
            duplicate_share: 0.01,
            queue_bytes: 7_000,
            queue_discipline: QueueDiscipline::Codel as i32,
            ecn: true,
            bit_errors: Some(BitErrors {
                error_share_good: 0.01,
                ..BitErrors::default()
            }),
            mtu_bytes: 576,
        };
        let whole = LaneSpec {
            forward: Some(path.clone()),
            backward: Some(path),
            mechanisms: vec![Mechanism::Bundling as i32],
            seed: 9,
            ..LaneSpec::default()
        };
        let calm = calm(&whole);
        let delay_alone = Path {
            delay_us: 65_000,
            ecn: true,
            mtu_bytes: 576,
            ..Path::default()
        };
        assert_eq!(
            (calm.forward, calm.backward),
            (Some(delay_alone.clone()), Some(delay_alone))
        );
        assert_eq!((calm.mechanisms, calm.seed), (whole.mechanisms, 9));
    }
}
