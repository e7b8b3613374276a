//! A clock that was set while captures were taken.
// SPDX-License-Identifier: Apache-2.0

use std::fmt;

use crate::error::{Direction, End};

/// Whose clock was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetClock {
    /// The sender's.
    Sender,
    /// The receiver's.
    Receiver,
    /// The packets do not tell which: the step is counted as the receiver's.
    Either,
    /// The one that stamps at both ends.
    Shared,
}

/// A step that was found and taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockStep {
    /// Whose clock was set.
    pub clock: SetClock,
    /// The first packet after it in the sender's capture, if that was stamped by the
    /// clock; none, too, if nothing came after it there.
    pub sender_frame: Option<u32>,
    /// The same in the receiver's capture.
    pub receiver_frame: Option<u32>,
    /// The stamp of the first of these.
    pub at_ns: i64,
    /// Forwards, or backwards.
    pub by_ns: i64,
    /// By so much more or less; none: by at least so much.
    pub uncertainty_ns: Option<u64>,
}

impl ClockStep {
    /// The first packet after it in an end's capture, if it counts there.
    pub(crate) fn frame(&self, end: End) -> Option<u32> {
        match end {
            End::Sender => self.sender_frame,
            End::Receiver => self.receiver_frame,
        }
    }
}

/// A change of one direction's delays where no packet went the other way: the path's or
/// a clock's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// Which way packets went.
    pub direction: Direction,
    /// The first packet after it, in the receiver's capture.
    pub receiver_frame: u32,
    /// How much longer delays became.
    pub by_ns: i64,
}

impl fmt::Display for Unclear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            direction,
            receiver_frame,
            by_ns,
        } = self;
        let by_s = *by_ns as f64 / 1e9;
        write!(
            f,
            "from frame {receiver_frame} of the receiver's capture on, delays {direction} changed by {by_s:+.6} s \
             where no packet went the other way: the path changed or a clock was set; left as it is"
        )
    }
}

impl fmt::Display for ClockStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.clock {
            SetClock::Sender => "the sender's clock was set ",
            SetClock::Receiver => "the receiver's clock was set ",
            SetClock::Either => "one of the clocks was set, the receiver's against the sender's ",
            SetClock::Shared => "the clock was set ",
        })?;
        f.write_str(if self.by_ns < 0 { "back" } else { "forward" })?;
        let by_s = self.by_ns.unsigned_abs() as f64 / 1e9;
        match self.uncertainty_ns {
            Some(more_or_less_ns) => {
                write!(f, " by {by_s:.6} s ± {:.6} s", more_or_less_ns as f64 / 1e9)
            }
            None => write!(f, " by {by_s:.6} s or more"),
        }?;
        let before = |frame: Option<u32>, whose| Some((frame?, whose));
        let frame = before(self.sender_frame, "sender's")
            .or_else(|| before(self.receiver_frame, "receiver's"));
        if let Some((frame, whose)) = frame {
            write!(f, ", before frame {frame} of the {whose} capture")?;
        }
        f.write_str("; taken out")
    }
}
