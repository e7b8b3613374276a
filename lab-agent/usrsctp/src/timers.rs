//! When the library's next timer is due.
//!
//! Its time is what it was told to have passed, in whole milliseconds. Timers that were stopped
//! stay in the list: the stack then wakes once for nothing.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ffi::{c_int, c_void};

use super::ffi;

#[derive(Default)]
struct Timers {
    now_ms: u64,
    due_ms: BinaryHeap<Reverse<u64>>,
}

thread_local! {
    /// The library is called by the stack's thread alone.
    static TIMERS: RefCell<Timers> = RefCell::default();
}

/// Lets the library's time pass up to `now_ms`, and its timers run that are due.
pub fn pass(now_ms: u64) {
    let elapsed_ms = TIMERS.with_borrow_mut(|timers| {
        let elapsed_ms = now_ms.saturating_sub(timers.now_ms);
        timers.now_ms += elapsed_ms;
        elapsed_ms
    });
    if elapsed_ms > 0 {
        // Runs what is due, which may start timers again, counted from now.
        unsafe { ffi::usrsctp_handle_timers(elapsed_ms as u32) };
    }
}

/// When there will be something to run.
pub fn next_ms() -> Option<u64> {
    TIMERS.with_borrow_mut(|timers| {
        while let Some(Reverse(due_ms)) = timers.due_ms.peek()
            && *due_ms <= timers.now_ms
        {
            timers.due_ms.pop();
        }
        timers.due_ms.peek().map(|Reverse(due_ms)| *due_ms)
    })
}

/// Stands before the library's own in its calls (`build.rs`).
#[unsafe(no_mangle)]
extern "C" fn thinlab_usrsctp_timer_start(
    timer: *mut c_void,
    ticks: u32,
    then: *const c_void,
    with: *mut c_void,
) -> c_int {
    TIMERS.with_borrow_mut(|timers| {
        // One of no time at all runs with the next tick.
        let due_ms = timers.now_ms + u64::from(ticks.max(1));
        timers.due_ms.push(Reverse(due_ms));
    });
    // As the library calls it.
    unsafe { ffi::sctp_os_timer_start(timer, ticks, then, with) }
}
