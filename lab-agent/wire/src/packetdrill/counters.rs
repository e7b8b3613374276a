//! What the scripts' `counters.sh` does, without a shell: to start one takes its
//! time where time is real, and timers would be late for it.
// SPDX-License-Identifier: Apache-2.0
use crate::observe;

/// The first of the claims (`NAME=N`, `NAME=LOW..`, `NAME=LOW..HIGH`) that is not
/// true, if any is.
pub fn fault(claims: &[&str]) -> Option<String> {
    if claims.is_empty() {
        return Some("counters.sh needs NAME=N".into());
    }
    claims.iter().find_map(|claim| fault_of(claim).err())
}

fn fault_of(claim: &str) -> Result<(), String> {
    let (name, span) = claim.split_once('=').unwrap_or((claim, ""));
    let value = observe::counter(name).map_err(|error| error.to_string())?;
    let (low, high) = bounds(span)
        .ok_or_else(|| format!("{claim} is not NAME=N, NAME=LOW.. or NAME=LOW..HIGH"))?;
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(format!("expected {claim}, came {value}"))
}

fn bounds(span: &str) -> Option<(i64, i64)> {
    let Some((low, high)) = span.split_once("..") else {
        let only = span.parse().ok()?;
        return Some((only, only));
    };
    let high = if high.is_empty() {
        i64::MAX
    } else {
        high.parse().ok()?
    };
    Some((low.parse().ok()?, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_may_be_open_above() {
        assert_eq!(bounds("3"), Some((3, 3)));
        assert_eq!(bounds("3..5"), Some((3, 5)));
        assert_eq!(bounds("3.."), Some((3, i64::MAX)));
        assert_eq!(bounds("..5"), None);
        assert_eq!(bounds(""), None);
    }
}
