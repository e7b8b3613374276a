//! Ranges of the stream. Whole ranges, never single bytes, so that a trace costs
//! what its packets cost.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeMap;

use smallvec::SmallVec;

/// Parts of the stream; nearly always one.
pub(crate) type Parts = SmallVec<[(u64, u64); 1]>;

/// A set of stream offsets, as disjoint ranges that do not touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage {
    ranges: BTreeMap<u64, u64>,
}

impl Coverage {
    /// Adds `start..end` and returns its parts that were not yet in the set.
    pub(crate) fn insert(&mut self, start: u64, end: u64) -> Parts {
        let mut new = Parts::new();
        self.insert_to(start, end, &mut new);
        new
    }

    /// The same, adding them to where they stay: a copy of what was just written has to
    /// wait for it.
    #[inline]
    pub(crate) fn insert_to(&mut self, start: u64, end: u64, new: &mut Parts) {
        if start >= end {
            return;
        }
        // Nearly always a stream just goes on where it was.
        if let Some(mut last) = self.ranges.last_entry()
            && *last.get() == start
        {
            *last.get_mut() = end;
            new.push((start, end));
            return;
        }
        self.insert_anywhere(start, end, new);
    }

    #[inline(never)]
    fn insert_anywhere(&mut self, start: u64, end: u64, new: &mut Parts) {
        let (mut whole_start, mut whole_end, mut cursor) = (start, end, start);
        let before = self.ranges.range(..=start).next_back();
        let first = before
            .filter(|(_, end)| **end >= start)
            .map_or(start, |(start, _)| *start);
        let touched: SmallVec<[(u64, u64); 4]> = self
            .ranges
            .range(first..=end)
            .map(|(s, e)| (*s, *e))
            .collect();
        for (touched_start, touched_end) in touched {
            if cursor < touched_start {
                new.push((cursor, touched_start));
            }
            cursor = cursor.max(touched_end);
            whole_start = whole_start.min(touched_start);
            whole_end = whole_end.max(touched_end);
            self.ranges.remove(&touched_start);
        }
        if cursor < end {
            new.push((cursor, end));
        }
        self.ranges.insert(whole_start, whole_end);
    }

    /// The parts of `start..end` that are in the set.
    pub(crate) fn parts(&self, start: u64, end: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        let before = self.ranges.range(..start).next_back();
        let first = before.map_or(start, |(start, _)| *start);
        let ranges = self.ranges.range(first..end.max(first));
        ranges
            .map(move |(s, e)| ((*s).max(start), (*e).min(end)))
            .filter(|(s, e)| s < e)
    }

    /// Forgets the ranges that end before an offset.
    pub(crate) fn forget(&mut self, offset: u64) {
        while let Some(first) = self.ranges.first_entry()
            && *first.get() < offset
        {
            first.remove();
        }
    }

    /// Where the highest range ends.
    pub(crate) fn end(&self) -> u64 {
        self.ranges.last_key_value().map_or(0, |(_, end)| *end)
    }

    /// How many bytes are in the set.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> u64 {
        self.ranges.iter().map(|(start, end)| end - start).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Coverage;

    #[test]
    fn only_what_is_new_comes_back() {
        let mut set = Coverage::default();
        assert_eq!(set.insert(10, 20).as_slice(), [(10, 20)]);
        assert_eq!(set.insert(30, 40).as_slice(), [(30, 40)]);
        assert_eq!(set.insert(15, 35).as_slice(), [(20, 30)]);
        assert_eq!(set.insert(5, 50).as_slice(), [(5, 10), (40, 50)]);
        assert_eq!(set.insert(5, 50).as_slice(), []);
        assert_eq!(set.bytes(), 45);
    }

    #[test]
    fn ranges_that_touch_become_one() {
        let mut set = Coverage::default();
        set.insert(0, 10);
        set.insert(10, 20);
        assert_eq!(set.ranges.len(), 1);
        assert_eq!(set.parts(5, 100).collect::<Vec<_>>(), [(5, 20)]);
        assert_eq!(set.parts(20, 30).count(), 0);
        set.insert(40, 50);
        assert_eq!(set.parts(8, 45).collect::<Vec<_>>(), [(8, 20), (40, 45)]);
    }
}
