//! What a stream's receiver read otherwise than it was written.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::Damage;

/// Changed bytes one behind the other, as their places are told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Runs {
    /// How many.
    pub count: u64,
    /// The longest.
    pub longest_bytes: u64,
    length: u64,
    last: Option<u64>,
}

impl Runs {
    /// The next byte that changed, by its place in the stream.
    pub fn push(&mut self, at: u64) {
        if self.last.is_some_and(|last| last + 1 == at) {
            self.length += 1;
        } else {
            (self.count, self.length) = (self.count + 1, 1);
        }
        self.longest_bytes = self.longest_bytes.max(self.length);
        self.last = Some(at);
    }
}

/// Of a stream that goes on, so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Damaged {
    runs: Runs,
    read_bytes: u64,
    changed_bytes: u64,
    changed_messages: u64,
    told_bytes: u64,
    untold_bytes: u64,
}

impl Damaged {
    /// A message of the stream came, of which bytes at these places had changed.
    pub fn read(&mut self, (start, end): (u64, u64), changed_at: &[u32]) {
        self.read_bytes += end - start;
        self.changed_bytes += changed_at.len() as u64;
        self.changed_messages += u64::from(!changed_at.is_empty());
        for &at in changed_at {
            self.runs.push(start + u64::from(at));
        }
    }

    /// So many bytes the socket called damaged, and of so many that had changed it said nothing.
    pub fn told(&mut self, told_bytes: u64, untold_bytes: u64) {
        self.told_bytes += told_bytes;
        self.untold_bytes += untold_bytes;
    }

    /// How many bytes changed.
    pub fn changed_bytes(&self) -> u64 {
        self.changed_bytes
    }

    /// The account; none where there is nothing to tell.
    pub fn account(&self) -> Option<Damage> {
        let is_any = self.changed_bytes > 0 || self.told_bytes > 0;
        is_any.then(|| Damage {
            changed_share: self.changed_bytes as f64 / self.read_bytes.max(1) as f64,
            runs: self.runs.count,
            longest_run_bytes: self.runs.longest_bytes,
            changed_messages: self.changed_messages,
            told_bytes: self.told_bytes,
            untold_bytes: self.untold_bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_on_across_messages() {
        let mut damaged = Damaged::default();
        damaged.read((0, 100), &[]);
        assert_eq!(damaged.account(), None);
        damaged.read((100, 200), &[7, 98, 99]);
        damaged.read((200, 300), &[0]);
        damaged.told(100, 1);
        let account = Damage {
            changed_share: 4.0 / 300.0,
            runs: 2,
            longest_run_bytes: 3,
            changed_messages: 2,
            told_bytes: 100,
            untold_bytes: 1,
        };
        assert_eq!(damaged.account(), Some(account));
        assert_eq!(damaged.changed_bytes(), 4);
    }
}
