//! Damaged arrivals: each is one of the packets that never arrived whole.
// SPDX-License-Identifier: Apache-2.0

/// How many of the damaged arrivals a missing departure explains: one that left
/// before (or, of rounded stamps, at most `early_ns` later) and that explains no
/// other. Both in order of time.
pub(crate) fn explained(
    missing_ns: impl Iterator<Item = i64>,
    damaged_ns: &[i64],
    early_ns: i64,
) -> u64 {
    let mut missing_ns = missing_ns.peekable();
    let (mut spare, mut explained) = (0_u64, 0);
    for damaged_ns in damaged_ns {
        while missing_ns
            .next_if(|sent_ns| *sent_ns <= damaged_ns + early_ns)
            .is_some()
        {
            spare += 1;
        }
        if spare > 0 {
            spare -= 1;
            explained += 1;
        }
    }
    explained
}
