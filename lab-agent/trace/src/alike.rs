//! Which keys may occur more than once, in a few bits a key: what is alone needs no
//! place in a table.
// SPDX-License-Identifier: Apache-2.0

use crate::pairing::Key;

/// So that one key in sixteen shares its bit with another one.
const BITS_A_KEY: usize = 16;

/// Bits by the end of a key, which is a digest.
#[derive(Debug)]
pub(crate) struct Alike {
    shared: Vec<u64>,
    mask: u64,
}

impl Alike {
    pub(crate) fn of(keys: &[Key]) -> Self {
        let bits = (keys.len() * BITS_A_KEY).next_power_of_two().max(64);
        let mask = bits as u64 - 1;
        let mut seen = vec![0_u64; bits / 64];
        let mut shared = vec![0_u64; bits / 64];
        for key in keys {
            let (word, bit) = place(*key, mask);
            shared[word] |= seen[word] & bit;
            seen[word] |= bit;
        }
        Self { shared, mask }
    }

    /// Surely true of a key that occurred twice; now and then of another one.
    pub(crate) fn has(&self, key: Key) -> bool {
        let (word, bit) = place(key, self.mask);
        self.shared[word] & bit != 0
    }
}

fn place(key: Key, mask: u64) -> (usize, u64) {
    let at = key & mask;
    ((at / 64) as usize, 1 << (at % 64))
}

/// Where in a list without repetitions a key is, looked for first around the last
/// one: packets arrive nearly in order.
#[derive(Debug)]
pub(crate) struct Finder<'a> {
    keys: &'a [Key],
    next: usize,
    /// Made once a key was not nearby.
    everywhere: Option<std::collections::HashMap<Key, u32>>,
}

impl<'a> Finder<'a> {
    pub(crate) fn of(keys: &'a [Key]) -> Self {
        Self {
            keys,
            next: 0,
            everywhere: None,
        }
    }

    pub(crate) fn find(&mut self, key: Key) -> Option<usize> {
        const NEARBY: usize = 64;
        let above = self.next..(self.next + NEARBY).min(self.keys.len());
        let below = self.next.saturating_sub(NEARBY)..self.next;
        let keys = self.keys;
        let nearby = |range: std::ops::Range<usize>| {
            let start = range.start;
            let at = keys[range].iter().position(|other| *other == key);
            at.map(|at| start + at)
        };
        let found = nearby(above).or_else(|| nearby(below)).or_else(|| {
            let everywhere = self.everywhere.get_or_insert_with(|| {
                let all = keys.iter().enumerate();
                all.map(|(at, key)| (*key, at as u32)).collect()
            });
            everywhere.get(&key).map(|at| *at as usize)
        })?;
        self.next = found + 1;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::{Alike, Finder};

    #[test]
    fn whatever_occurs_twice_is_known() {
        let digest = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let keys: Vec<u64> = (0..10_000).map(|n| digest(n % 9_900)).collect();
        let alike = Alike::of(&keys);
        assert!((0..100).all(|n| alike.has(digest(n))));
        let others = (100..9_900).filter(|n| alike.has(digest(*n))).count();
        assert!(others < 1_500, "{others} are taken for repeated");
        assert!(!Alike::of(&[]).has(0));
    }

    #[test]
    fn a_key_is_found_wherever_it_is() {
        let keys: Vec<u64> = (0..1_000).map(|n| n * 3).collect();
        let mut finder = Finder::of(&keys);
        for at in [0, 1, 5, 4, 900, 2, 999, 998, 0, 999] {
            assert_eq!(finder.find(at * 3), Some(at as usize));
        }
        assert_eq!(finder.find(4), None);
    }
}
