//! Changes of a take's lanes, one after the other, each on a thread that may
//! wait for the kernel.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

use lab_proto::{DemoChange, DemoChanged, LaneSpec};
use tokio::task::JoinHandle;

use super::lanes::{Lanes, of_lane};
use crate::clock::now_ns;
use crate::fault::{Fault, Outcome};
use crate::lane::check;

/// More than a person asks for while one is made; a caller who asks for more
/// waits.
const MOST_WAITING: usize = 64;

/// See the module.
pub struct Changes {
    lanes: Lanes,
    count: usize,
    waiting: VecDeque<DemoChange>,
    under_way: Option<JoinHandle<DemoChanged>>,
}

impl Changes {
    /// Of so many lanes.
    pub fn new(lanes: Lanes, count: usize) -> Self {
        Self {
            lanes,
            count,
            waiting: VecDeque::new(),
            under_way: None,
        }
    }

    /// Whether one more may come.
    pub fn has_room(&self) -> bool {
        self.waiting.len() < MOST_WAITING
    }

    /// Whether nothing is left to do.
    pub fn is_idle(&self) -> bool {
        self.under_way.is_none()
    }

    /// Makes a change as soon as those before it are made.
    pub fn push(&mut self, change: DemoChange) {
        self.waiting.push_back(change);
        self.go_on();
    }

    /// Waits for the change that is under way, for ever when there is none.
    pub async fn done(&mut self) -> Outcome<DemoChanged> {
        let Some(under_way) = &mut self.under_way else {
            return std::future::pending().await;
        };
        let changed = under_way.await;
        self.under_way = None;
        self.go_on();
        changed.map_err(|error| Fault::Failed(format!("{error} while changing lanes")))
    }

    fn go_on(&mut self) {
        if self.under_way.is_some() {
            return;
        }
        if let Some(change) = self.waiting.pop_front() {
            let (lanes, count) = (self.lanes.clone(), self.count);
            let work = move || make(&lanes, count, change);
            self.under_way = Some(tokio::task::spawn_blocking(work));
        }
    }
}

fn make(lanes: &Lanes, count: usize, change: DemoChange) -> DemoChanged {
    let id = change.id;
    let made = wanted(change, count).and_then(|wanted| lanes.change(&wanted));
    DemoChanged {
        id,
        kernel_at_ns: now_ns(),
        problem: made
            .err()
            .map(|fault| fault.to_string())
            .unwrap_or_default(),
    }
}

/// What a change asks of which lanes; every complaint names the field.
fn wanted(change: DemoChange, count: usize) -> Outcome<Vec<(usize, LaneSpec)>> {
    let mut wanted: Vec<(usize, LaneSpec)> = Vec::new();
    for (index, one) in change.lanes.into_iter().enumerate() {
        let complaint = |what: String| Err(Fault::Invalid(format!("lanes[{index}].{what}")));
        let number = one.lane as usize;
        if number >= count {
            return complaint(format!("lane is {number}: the take has {count}, from 0 on"));
        }
        if wanted.iter().any(|(other, _)| *other == number) {
            return complaint(format!("lane is {number} once more: name each lane once"));
        }
        let Some(spec) = one.spec else {
            return complaint("spec is not set: give the lane's whole new state".into());
        };
        check::lane(&spec).map_err(|fault| fault.below(&format!("lanes[{index}].spec: ")))?;
        wanted.push((number, spec));
    }
    Ok(wanted)
}

/// Checks what a take begins with.
pub fn check_start(specs: &[LaneSpec], most: usize) -> Outcome<()> {
    if !(1..=most).contains(&specs.len()) {
        return Err(Fault::Invalid(format!(
            "lanes has {}: give one to {most}",
            specs.len()
        )));
    }
    for (number, spec) in specs.iter().enumerate() {
        check::lane(spec).map_err(|fault| of_lane(number, fault))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lab_proto::{Baseline, DemoLaneChange, Path};

    use super::*;

    fn good() -> LaneSpec {
        LaneSpec {
            forward: Some(Path::default()),
            backward: Some(Path::default()),
            baseline: Baseline::Modern as i32,
            ..LaneSpec::default()
        }
    }

    fn of(lanes: Vec<(u32, Option<LaneSpec>)>) -> DemoChange {
        let lanes = lanes.into_iter();
        DemoChange {
            id: 1,
            lanes: lanes
                .map(|(lane, spec)| DemoLaneChange { lane, spec })
                .collect(),
        }
    }

    #[test]
    fn a_change_is_refused_by_the_name_of_the_field() {
        let bad = LaneSpec {
            baseline: 9,
            ..good()
        };
        for (lanes, field) in [
            (
                vec![(0, Some(good())), (2, Some(good()))],
                "lanes[1].lane is 2",
            ),
            (
                vec![(1, Some(good())), (1, Some(good()))],
                "lanes[1].lane is 1 once more",
            ),
            (vec![(0, None)], "lanes[0].spec is not set"),
            (
                vec![(0, Some(good())), (1, Some(bad))],
                "lanes[1].spec: lane.baseline",
            ),
        ] {
            let fault = wanted(of(lanes), 2).unwrap_err();
            assert!(fault.to_string().starts_with(field), "{fault}");
        }
        let both = of(vec![(1, Some(good())), (0, Some(good()))]);
        assert_eq!(wanted(both, 2).unwrap().len(), 2);
    }

    #[test]
    fn a_take_has_one_to_four_lanes() {
        assert!(check_start(&[good()], 4).is_ok());
        for lanes in [vec![], vec![good(); 5]] {
            let fault = check_start(&lanes, 4).unwrap_err();
            assert!(fault.to_string().starts_with("lanes has"), "{fault}");
        }
        let bad = LaneSpec {
            forward: None,
            ..good()
        };
        let fault = check_start(&[good(), bad], 4).unwrap_err();
        assert!(fault.to_string().starts_with("lanes[1]: lane.forward"));
    }
}
