//! Where a stream stands that can be stopped.
// SPDX-License-Identifier: Apache-2.0

/// The stream's own time, which stands still in a pause, and the take's.
pub struct Timeline {
    /// When the stream's time was 0, had it never stopped.
    origin_ns: u64,
    stopped: bool,
}

impl Timeline {
    /// Begins now.
    pub fn new(now_ns: u64) -> Self {
        Self {
            origin_ns: now_ns,
            stopped: false,
        }
    }

    /// The stream's time, unless it stands still.
    pub fn stream_ns(&self, now_ns: u64) -> Option<u64> {
        (!self.stopped).then(|| now_ns.saturating_sub(self.origin_ns))
    }

    /// The take's time of something in the stream.
    pub fn at_ns(&self, stream_ns: u64) -> u64 {
        self.origin_ns + stream_ns
    }

    /// Whether it stands still.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Stands still.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Goes on with what was not made yet; never before what is under way.
    pub fn go_on(&mut self, now_ns: u64, made_ns: u64) {
        if self.stopped {
            self.origin_ns = self.origin_ns.max(now_ns.saturating_sub(made_ns));
            self.stopped = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_pause_the_stream_goes_on_with_what_was_not_made() {
        let mut timeline = Timeline::new(1000);
        assert_eq!(timeline.stream_ns(1500), Some(500));
        timeline.stop();
        assert_eq!(timeline.stream_ns(1600), None);
        timeline.go_on(9000, 650);
        assert_eq!(timeline.at_ns(650), 9000);
        assert_eq!(timeline.stream_ns(9010), Some(660));
    }

    #[test]
    fn a_short_pause_brings_nothing_forward() {
        let mut timeline = Timeline::new(1000);
        timeline.stop();
        timeline.go_on(1100, 650);
        assert_eq!(timeline.at_ns(650), 1650);
        timeline.go_on(5000, 650);
        assert_eq!(timeline.at_ns(650), 1650, "it was not stopped");
    }
}
