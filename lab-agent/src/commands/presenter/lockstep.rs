//! How far apart the lanes are at the ear.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::DemoMoment;

/// Of all moments in which every lane was heard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lockstep {
    /// How many they were.
    pub moments: u64,
    /// The most that one lane was behind another.
    pub difference_ms: f64,
    /// The lowest delay of any lane, from capture to ear.
    pub lowest_delay_ms: f64,
    /// The highest.
    pub highest_delay_ms: f64,
}

impl Lockstep {
    /// Takes a moment in.
    pub fn see(&mut self, moment: &DemoMoment) {
        let delays = moment.lanes.iter().map(|lane| {
            let playout = lane.playout.as_ref();
            playout.map_or(0.0, |playout| playout.delay_ms)
        });
        let delays: Vec<f64> = delays.collect();
        // A lane without a delay has nothing to play.
        if delays.is_empty() || delays.iter().any(|delay_ms| *delay_ms <= 0.0) {
            return;
        }
        let lowest = delays.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = delays.iter().copied().fold(0.0, f64::max);
        self.difference_ms = self.difference_ms.max(highest - lowest);
        self.highest_delay_ms = self.highest_delay_ms.max(highest);
        self.lowest_delay_ms = match self.moments {
            0 => lowest,
            _ => self.lowest_delay_ms.min(lowest),
        };
        self.moments += 1;
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact by definition")]
mod tests {
    use lab_proto::{DemoLaneMoment, PlayoutState};

    use super::*;

    fn moment(delays_ms: &[f64]) -> DemoMoment {
        let lanes = delays_ms.iter().map(|&delay_ms| DemoLaneMoment {
            playout: Some(PlayoutState {
                delay_ms,
                ..PlayoutState::default()
            }),
            ..DemoLaneMoment::default()
        });
        DemoMoment {
            at_ns: 0,
            lanes: lanes.collect(),
            held_up: None,
        }
    }

    #[test]
    fn only_moments_in_which_all_are_heard_count() {
        let mut lockstep = Lockstep::default();
        lockstep.see(&moment(&[0.0, 400.0]));
        lockstep.see(&moment(&[120.0, 123.5]));
        lockstep.see(&moment(&[131.0, 130.0]));
        let expected = Lockstep {
            moments: 2,
            difference_ms: 3.5,
            lowest_delay_ms: 120.0,
            highest_delay_ms: 131.0,
        };
        assert_eq!(lockstep, expected);
    }
}
