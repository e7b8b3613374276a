//! A guest's clock against the machine's: asked over the serial line, again and
//! again; the question that came back fastest knows best.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use lab_proto::guest::TimeQuestion;
use lab_proto::guest::guest_client::GuestClient;
use tonic::Status;
use tonic::transport::Channel;

use crate::clock::now_ns;
use crate::fault::{Fault, Outcome};

/// Comparisons older than this many are forgotten.
const KEPT: usize = 128;
/// So many in a row when a guest is new, or when it must be known now.
const AT_ONCE: usize = 8;

/// One question and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The guest's clock minus the machine's.
    pub offset_ns: i64,
    /// How long the question took, forth and back: the offset is off by half of
    /// it at most.
    pub round_trip_ns: u64,
}

impl Comparison {
    /// Of an instant of the guest's clock, the machine's.
    pub fn of_guest(&self, at_ns: u64) -> u64 {
        at_ns.saturating_add_signed(-self.offset_ns)
    }

    /// Of an instant of the machine's clock, the guest's.
    pub fn in_guest(&self, at_ns: u64) -> u64 {
        at_ns.saturating_add_signed(self.offset_ns)
    }
}

/// What the questions told so far.
#[derive(Default)]
pub struct GuestClock {
    told: Mutex<VecDeque<Comparison>>,
    /// Of the question that waits for its answer.
    asked: Mutex<Option<Instant>>,
}

impl GuestClock {
    /// Asks once.
    pub async fn compare(&self, guest: &mut GuestClient<Channel>) -> Result<Comparison, Status> {
        let asked = Instant::now();
        *self.asked() = Some(asked);
        let asked_ns = now_ns();
        let there_ns = guest.tell_time(TimeQuestion {}).await?.into_inner().at_ns;
        let comparison = comparison(asked_ns, there_ns, asked.elapsed());
        *self.asked() = None;
        let mut told = self.told();
        if told.len() == KEPT {
            told.pop_front();
        }
        told.push_back(comparison);
        Ok(comparison)
    }

    /// Asks several times, and gives the surest of these answers.
    pub async fn compare_often(&self, guest: &mut GuestClient<Channel>) -> Outcome<Comparison> {
        let mut best: Option<Comparison> = None;
        for _ in 0..AT_ONCE {
            let asked = self.compare(guest).await;
            let one = asked.map_err(|status| {
                Fault::Failed(format!("asking the guest for the time: {status}"))
            })?;
            best = best
                .into_iter()
                .chain([one])
                .min_by_key(|one| one.round_trip_ns);
        }
        Ok(best.expect("it was asked more than once"))
    }

    /// The surest comparison of the last ones.
    pub fn best(&self) -> Comparison {
        let told = self.told();
        let best = told.iter().min_by_key(|one| one.round_trip_ns);
        *best.expect("a guest was asked when it was booted")
    }

    /// How long the last answer took, or the next has taken so far.
    pub fn behind(&self) -> Duration {
        let owed = self.asked().map(|asked| asked.elapsed());
        let last = self.told().back().map(|one| one.round_trip_ns);
        let last = Duration::from_nanos(last.unwrap_or(0));
        owed.map_or(last, |owed| owed.max(last))
    }

    fn asked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.asked.lock().expect("nothing panics while holding it")
    }

    fn told(&self) -> MutexGuard<'_, VecDeque<Comparison>> {
        self.told.lock().expect("nothing panics while holding it")
    }
}

/// Both ways are taken to be equally long.
fn comparison(asked_ns: u64, there_ns: u64, round_trip: Duration) -> Comparison {
    let round_trip_ns = round_trip.as_nanos() as u64;
    Comparison {
        offset_ns: there_ns as i64 - (asked_ns + round_trip_ns / 2) as i64,
        round_trip_ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_was_given_half_way() {
        let told = comparison(1_000_000, 1_500_400, Duration::from_nanos(600));
        assert_eq!(told.offset_ns, 500_100);
        assert_eq!(told.round_trip_ns, 600);
    }

    #[test]
    fn instants_go_to_the_guest_and_back() {
        for offset_ns in [-1_700_000_000_000_000_000_i64, -3, 0, 12_345] {
            let clock = Comparison {
                offset_ns,
                round_trip_ns: 1,
            };
            let at_ns = now_ns();
            assert_eq!(clock.of_guest(clock.in_guest(at_ns)), at_ns);
        }
    }

    #[test]
    fn a_guest_that_owes_an_answer_is_behind() {
        let clock = GuestClock::default();
        assert_eq!(clock.behind(), Duration::ZERO);
        clock.told().push_back(Comparison {
            offset_ns: 0,
            round_trip_ns: 700,
        });
        assert_eq!(clock.behind(), Duration::from_nanos(700));
        let long_ago = Instant::now().checked_sub(Duration::from_secs(3));
        *clock.asked() = long_ago;
        assert!(clock.behind() >= Duration::from_secs(3));
    }

    #[test]
    fn the_fastest_question_is_believed() {
        let clock = GuestClock::default();
        let tell = |offset_ns, round_trip_ns| {
            clock.told.lock().unwrap().push_back(Comparison {
                offset_ns,
                round_trip_ns,
            });
        };
        tell(90, 700);
        tell(50, 200);
        tell(-300, 4000);
        assert_eq!(clock.best().offset_ns, 50);
    }
}
