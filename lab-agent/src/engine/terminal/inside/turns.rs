//! Logins take turns: many at once would leave a guest no time for those who type.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

/// From one login to the next. Each takes some 0.3 s of a guest's processor.
const EVERY: Duration = Duration::from_millis(400);

/// When the next may begin.
static NEXT: Mutex<Option<Instant>> = Mutex::const_new(None);

/// Waits for a turn: none, where nobody else has just logged in. Who came first
/// goes first.
pub async fn wait() {
    let mut next = NEXT.lock().await;
    let mine = turn(*next, Instant::now());
    sleep_until(mine).await;
    // Whoever gave up while waiting has taken nobody's turn.
    *next = Some(mine + EVERY);
}

fn turn(next: Option<Instant>, now: Instant) -> Instant {
    next.map_or(now, |next| next.max(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_but_for_who_has_just_logged_in() {
        let now = Instant::now();
        assert_eq!(turn(None, now), now);
        assert_eq!(turn(Some(now), now + EVERY), now + EVERY);
        assert_eq!(turn(Some(now + EVERY), now), now + EVERY);
    }
}
