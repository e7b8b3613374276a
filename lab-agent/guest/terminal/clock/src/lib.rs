//! Time for vi that passes only while it waits.
//!
//! To see whether another key is there already, Vim 9 (`inchar_loop` in `ui.c`) takes the
//! time twice and subtracts what passed from how long it wants to wait, which is not at
//! all. Who loses the processor between the two for a millisecond gets a negative number,
//! which `select` is told as "for ever": the key before is not shown until another is
//! pressed. On a busy machine that happens to one key in some hundreds.
//!
//! So the first time after a wait is kept until the next wait. Whatever Vim measures the
//! length of, it waits in.
// SPDX-License-Identifier: Apache-2.0
#![cfg_attr(not(test), no_std)]
// What stands in for functions of the C library cannot do without.
#![allow(unsafe_code)]

use core::arch::asm;
use core::ffi::{c_int, c_long, c_void};
use core::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};

const SELECT: c_long = 23;
const NANOSLEEP: c_long = 35;
const GETTIMEOFDAY: c_long = 96;
/// The kernel's results below 0 and from here on are numbers of errors.
const FIRST_ERROR: c_long = -4095;

/// The C library's `struct timeval`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timeval {
    /// Since 1970.
    pub seconds: i64,
    /// Of the second.
    pub microseconds: i64,
}

// One thread, which must not start others; atomics, because statics want them.
static KEPT: AtomicBool = AtomicBool::new(false);
static SECONDS: AtomicI64 = AtomicI64::new(0);
static MICROSECONDS: AtomicI64 = AtomicI64::new(0);

/// In the place of the C library's: the time of the first call after a wait.
///
/// # Safety
///
/// `time` points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gettimeofday(time: *mut Timeval, _zone: *mut c_void) -> c_int {
    if !KEPT.load(Relaxed) {
        let mut now = Timeval::default();
        let place = (&raw mut now) as c_long;
        // SAFETY: the kernel writes the one place, and nothing for the zone.
        unsafe { system_call(GETTIMEOFDAY, [place, 0, 0, 0, 0]) };
        SECONDS.store(now.seconds, Relaxed);
        MICROSECONDS.store(now.microseconds, Relaxed);
        KEPT.store(true, Relaxed);
    }
    let kept = Timeval {
        seconds: SECONDS.load(Relaxed),
        microseconds: MICROSECONDS.load(Relaxed),
    };
    // SAFETY: as the caller promises.
    unsafe { time.write(kept) };
    0
}

/// In the place of the C library's, which does no more.
///
/// # Safety
///
/// As `select(2)` has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn select(
    count: c_int,
    to_read: *mut c_void,
    to_write: *mut c_void,
    exceptional: *mut c_void,
    at_most: *mut Timeval,
) -> c_int {
    let sets = [to_read, to_write, exceptional].map(|set| set as c_long);
    // SAFETY: as the caller promises.
    unsafe {
        waited(
            SELECT,
            [
                c_long::from(count),
                sets[0],
                sets[1],
                sets[2],
                at_most as c_long,
            ],
        )
    }
}

/// In the place of the C library's, which does no more.
///
/// # Safety
///
/// As `nanosleep(2)` has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nanosleep(length: *const c_void, rest: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { waited(NANOSLEEP, [length as c_long, rest as c_long, 0, 0, 0]) }
}

/// Waits by a system call, as the C library does: time has passed, and errors are in `errno`.
unsafe fn waited(number: c_long, arguments: [c_long; 5]) -> c_int {
    // SAFETY: as the caller promises.
    let result = unsafe { system_call(number, arguments) };
    KEPT.store(false, Relaxed);
    if (FIRST_ERROR..0).contains(&result) {
        // SAFETY: the C library's own place for this thread.
        unsafe { *__errno_location() = -result as c_int };
        return -1;
    }
    result as c_int
}

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
}

unsafe fn system_call(number: c_long, arguments: [c_long; 5]) -> c_long {
    let result;
    // SAFETY: the kernel keeps all registers but these.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") arguments[0],
            in("rsi") arguments[1],
            in("rdx") arguments[2],
            in("r10") arguments[3],
            in("r8") arguments[4],
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack)
        );
    }
    result
}

#[cfg(not(test))]
#[panic_handler]
fn panicked(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[cfg(test)]
mod tests {
    use std::ptr::null_mut;
    use std::time::{Duration, Instant};

    use super::*;

    fn now() -> Timeval {
        let mut now = Timeval::default();
        // SAFETY: a place of our own.
        assert_eq!(unsafe { gettimeofday(&raw mut now, null_mut()) }, 0);
        now
    }

    fn work(length: Duration) {
        let began = Instant::now();
        while began.elapsed() < length {}
    }

    #[test]
    fn time_passes_only_in_waits() {
        let before = now();
        work(Duration::from_millis(3));
        assert_eq!(now(), before);

        let mut at_most = Timeval::default();
        // SAFETY: no set, and a place of our own.
        let found = unsafe { select(0, null_mut(), null_mut(), null_mut(), &raw mut at_most) };
        assert_eq!(found, 0);
        let after = now();
        assert!(after > before, "{after:?} after {before:?}");
        assert!(after.seconds > 1_700_000_000, "{after:?}");

        // SAFETY: the kernel refuses to read there.
        assert_eq!(unsafe { nanosleep(std::ptr::null(), null_mut()) }, -1);
        assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(14));
        assert!(now() >= after);
    }
}
