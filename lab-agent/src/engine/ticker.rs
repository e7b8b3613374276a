//! What is to be done every so often.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// When to do it next. What comes late is not made up for.
#[derive(Debug)]
pub struct Ticker {
    every: Duration,
    next: Instant,
}

impl Ticker {
    /// The first time is `now`.
    pub fn new(every: Duration, now: Instant) -> Self {
        Self { every, next: now }
    }

    /// The next time.
    pub fn next(&self) -> Instant {
        self.next
    }

    /// Whether it is time; whoever is told so does it.
    pub fn is_due(&mut self, now: Instant) -> bool {
        let due = now >= self.next;
        if due {
            self.next = now + self.every;
        }
        due
    }

    /// Waits for the next time. Nothing is lost by waiting no longer.
    pub async fn tick(&mut self) {
        sleep_until(self.next).await;
        self.is_due(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Duration = Duration::from_hours(1);

    #[test]
    fn it_is_time_at_once_and_then_every_so_often_however_late() {
        let start = Instant::now();
        let mut ticker = Ticker::new(EVERY, start);
        let minutes = |minutes| start + Duration::from_mins(minutes);
        let due = [0, 59, 60, 70, 200, 259, 260].map(|now| ticker.is_due(minutes(now)));
        assert_eq!(due, [true, false, true, false, true, false, true]);
        assert_eq!(ticker.next(), minutes(320));
    }

    #[tokio::test]
    async fn who_stops_waiting_has_missed_nothing() {
        let start = Instant::now();
        let mut ticker = Ticker::new(EVERY, start);
        ticker.tick().await;
        let next = ticker.next();
        assert!(next >= start + EVERY);
        tokio::select! {
            biased;
            () = ticker.tick() => panic!("an hour is not over"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(ticker.next(), next);
    }
}
