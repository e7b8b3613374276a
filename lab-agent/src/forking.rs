//! Forking and memory that must not be forked: a mapping is kept from children
//! only after it was made, and a fork in between would have it all the same.
// SPDX-License-Identifier: Apache-2.0
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held by whoever forks, and by whoever makes such a mapping.
pub fn alone() -> MutexGuard<'static, ()> {
    static FORKING: Mutex<()> = Mutex::new(());
    // What it guards is in the kernel, and stays right when a thread panics.
    FORKING.lock().unwrap_or_else(PoisonError::into_inner)
}
