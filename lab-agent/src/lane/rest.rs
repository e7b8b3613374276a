//! When a lane is at rest.
// SPDX-License-Identifier: Apache-2.0

/// One quiet look is not enough: a packet that leaves one direction may be
/// answered in the other.
const QUIET_LOOKS: u32 = 2;

/// Looks at a lane, one after the other.
#[derive(Debug, Default)]
pub struct Rest {
    quiet_looks: u32,
}

impl Rest {
    /// Takes in a look that found nothing under way, or something; whether the
    /// lane is at rest.
    pub fn look(&mut self, quiet: bool) -> bool {
        self.quiet_looks = if quiet { self.quiet_looks + 1 } else { 0 };
        self.quiet_looks >= QUIET_LOOKS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_looks_count_in_a_row_only() {
        let mut rest = Rest::default();
        let looks = [true, false, true, true, true].map(|quiet| rest.look(quiet));
        assert_eq!(looks, [false, false, false, true, true]);
    }
}
