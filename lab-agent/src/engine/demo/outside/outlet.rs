//! What goes to the caller, who may read slowly: nothing here waits for them
//! while the take runs.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use lab_proto::LiveEvent;
use lab_proto::live_event::Event;

use crate::engine;
use crate::fault::{Fault, Outcome};

/// Of four lanes in ten seconds, and as many screens again.
pub const WAITING: usize = 512;
/// Sound that is older than this many events (two seconds) is of no use.
const WAITING_BEFORE_SOUND: usize = 128;
/// In the end the caller may take so long to read what there still is.
const LAST_WORDS_LIMIT: Duration = Duration::from_secs(30);

/// Where events go in. Cheap to copy.
#[derive(Clone)]
pub struct Outlet(engine::outlet::Outlet<LiveEvent>);

impl Outlet {
    /// Into a way out that has room for [`WAITING`] events.
    pub fn new(events: engine::outlet::Outlet<LiveEvent>) -> Self {
        Self(events)
    }

    /// Sound: left out when the caller is behind, which its numbers show.
    pub fn sound(&self, event: Event) {
        if self.0.max_capacity() - self.0.capacity() < WAITING_BEFORE_SOUND {
            let _ = self.0.try_send(Ok(wrap(0, event)));
        }
    }

    /// What must not be missing.
    ///
    /// # Errors
    /// `Exhausted` when the caller has not read for many seconds.
    pub fn put(&self, event: Event) -> Outcome<()> {
        self.put_of(0, event)
    }

    /// What must not be missing of one lane; errors as [`Self::put`]'s.
    pub fn put_of(&self, lane: u32, event: Event) -> Outcome<()> {
        use tokio::sync::mpsc::error::TrySendError;
        match self.0.try_send(Ok(wrap(lane, event))) {
            // Who has gone misses nothing.
            Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Fault::Exhausted(format!(
                "the caller is {WAITING} events behind: read a take's events as they come"
            ))),
        }
    }

    /// What there is to say, of a lane or of all, when the take is over: waits for
    /// the caller.
    pub async fn last(&self, lane: u32, event: Event) -> Outcome<()> {
        let sent = self.0.send(Ok(wrap(lane, event)));
        match tokio::time::timeout(LAST_WORDS_LIMIT, sent).await {
            Ok(_) => Ok(()),
            Err(_) => Err(Fault::Exhausted(
                "the caller does not read what is left of the take".into(),
            )),
        }
    }
}

fn wrap(lane: u32, event: Event) -> LiveEvent {
    LiveEvent {
        event: Some(event),
        lane,
    }
}

#[cfg(test)]
mod tests {
    use lab_proto::{DemoMoment, DemoSound};
    use tokio::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_slow_caller_loses_sound_first_and_then_the_take() {
        let (events, mut received) = channel(WAITING);
        let outlet = Outlet::new(events);
        for number in 0..1000 {
            outlet.sound(Event::Sound(DemoSound {
                number,
                ..DemoSound::default()
            }));
        }
        let moment = || Event::Moment(DemoMoment::default());
        let kept = (0..1000).take_while(|_| outlet.put(moment()).is_ok());
        let kept = kept.count();
        assert_eq!(kept, WAITING - WAITING_BEFORE_SOUND);
        let fault = outlet.put(moment()).unwrap_err();
        assert!(matches!(fault, Fault::Exhausted(_)), "{fault}");

        let mut numbers = Vec::new();
        while let Ok(event) = received.try_recv() {
            if let Some(Event::Sound(sound)) = event.unwrap().event {
                numbers.push(sound.number);
            }
        }
        assert!(numbers.is_sorted() && numbers.len() == WAITING_BEFORE_SOUND);
        assert!(outlet.put(moment()).is_ok(), "they have caught up");
    }
}
