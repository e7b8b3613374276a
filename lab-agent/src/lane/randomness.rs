//! A lane's seed becomes two unrelated seeds, one for each direction of the emulator.
// SPDX-License-Identifier: Apache-2.0

use crate::random::SplitMix;

/// A direction of the lane.
#[derive(Clone, Copy, Debug)]
pub enum Direction {
    /// Sender to receiver.
    Forward,
    /// Receiver to sender.
    Backward,
}

/// The seed of one direction's netem.
///
/// People number seeds 1, 2, 3, and netem starts its generator on such numbers
/// as they are: its first draws are then nearly the same for all of them. The
/// first packet back, the SYN-ACK, was lost with each of the seeds 1 to 3. So
/// every bit of the seed is made to count first (the finalizer of `SplitMix64`).
pub fn seed(lane_seed: u64, direction: Direction) -> u64 {
    const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = match direction {
        Direction::Forward => 1,
        Direction::Backward => 2,
    };
    let mut mixed = lane_seed
        .wrapping_mul(2)
        .wrapping_add(step)
        .wrapping_mul(GOLDEN_GAMMA);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The seed of a lane's `nth` path. netem starts its randomness over with each; of
/// the first, 0, it is the lane's own.
pub fn of_path(lane_seed: u64, nth: u64) -> u64 {
    if nth == 0 {
        return lane_seed;
    }
    SplitMix(lane_seed ^ nth.rotate_left(32)).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEDS: u64 = 2000;

    /// The kernel's `prandom_seed_state()` and `prandom_u32_state()`, as netem uses them.
    struct Prandom([u32; 4]);

    impl Prandom {
        fn new(seed: u64) -> Self {
            let folded = ((seed >> 32) ^ (seed << 10) ^ seed) as u32;
            Self([2, 8, 16, 128].map(|least| {
                if folded < least {
                    folded + least
                } else {
                    folded
                }
            }))
        }

        fn draw(&mut self) -> u32 {
            const STEPS: [(u32, u32, u32, u32); 4] = [
                (6, 13, u32::MAX - 1, 18),
                (2, 27, u32::MAX - 7, 2),
                (13, 21, u32::MAX - 15, 7),
                (3, 12, u32::MAX - 127, 13),
            ];
            for (state, (a, b, keep, left)) in self.0.iter_mut().zip(STEPS) {
                *state = ((*state & keep) << left) ^ (((*state << a) ^ *state) >> b);
            }
            self.0.into_iter().fold(0, |all, state| all ^ state)
        }
    }

    fn lost(seed: u64, nth: usize) -> bool {
        let mut random = Prandom::new(seed);
        let draw = (0..=nth).map(|_| random.draw()).last().unwrap();
        f64::from(draw) < 0.1 * f64::from(u32::MAX)
    }

    /// 2000 tries at 10 %: 200 expected, standard deviation 13.4; five of them.
    fn is_a_tenth(losses: usize) -> bool {
        (133..=267).contains(&losses)
    }

    #[test]
    fn each_of_the_first_packets_is_lost_as_often_as_any_other() {
        for direction in [Direction::Forward, Direction::Backward] {
            for nth in 0..8 {
                let losses = (0..SEEDS).filter(|&n| lost(seed(n, direction), nth));
                let losses = losses.count();
                assert!(is_a_tenth(losses), "{direction:?} {nth}: {losses}");
            }
        }
    }

    #[test]
    fn neighbouring_seeds_the_two_directions_and_later_paths_lose_unrelated_packets() {
        let together = |a: &dyn Fn(u64) -> u64, b: &dyn Fn(u64) -> u64| {
            (0..SEEDS)
                .filter(|&n| lost(a(n), 0) && lost(b(n), 0))
                .count()
        };
        let forward = |n| seed(n, Direction::Forward);
        // One in a hundred: 20 expected, standard deviation 4.4; five of them.
        assert!(together(&forward, &|n| seed(n + 1, Direction::Forward)) <= 42);
        assert!(together(&forward, &|n| seed(n, Direction::Backward)) <= 42);
        for nth in 1..4 {
            let later = |n| seed(of_path(n, nth), Direction::Forward);
            assert!(together(&forward, &later) <= 42, "path {nth}");
            let next = |n| seed(of_path(n, nth + 1), Direction::Forward);
            assert!(together(&later, &next) <= 42, "path {nth}");
        }
        // Without the mixing they would.
        assert!(together(&|n| n, &|n| n + 1) > 42);
    }
}
