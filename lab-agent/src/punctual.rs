//! A place before all ordinary processes (`SCHED_FIFO`), for what people wait
//! for. Where the machine does not allow it, delays vary more.
// SPDX-License-Identifier: Apache-2.0
use crate::fault::{Fault, Outcome};

/// Of what runs in guests: programs in real time, and whoever sends a stream.
pub const PROGRAM: i32 = 1;
/// Of the kernels of guests in real time: their timers take the processor from
/// their programs.
pub const GUEST: i32 = 2;
/// Of the threads that pass keys and screens on: short work, which must not wait
/// until a guest has done its own.
pub const PASSING_ON: i32 = 3;

/// Not for the children.
const ALONE: libc::c_int = libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK;

/// Asks for it, for the calling thread and those that it starts. One system call:
/// works between fork and exec, too.
pub fn prefer(priority: i32) -> std::io::Result<()> {
    set(0, libc::SCHED_FIFO, priority)
}

/// Asks for it, for the calling process, but not for its children.
pub fn prefer_alone(priority: i32) -> std::io::Result<()> {
    set(0, ALONE, priority)
}

/// Gives the calling thread's place up: others may go before it.
pub fn step_back() {
    // Who has no such place keeps the one that they have.
    let _ = set(0, libc::SCHED_OTHER, 0);
}

/// Gives a guest's program its place, or takes it away.
pub fn place_program(id: i32, preferred: bool) {
    place(id, preferred, libc::SCHED_FIFO, PROGRAM);
}

/// Gives a guest's kernel its place, or takes it away.
pub fn place_kernel(id: i32, preferred: bool) {
    place(id, preferred, ALONE, GUEST);
}

fn place(id: i32, preferred: bool, policy: libc::c_int, priority: i32) {
    // It may have ended, and an ordinary user is refused.
    let _ = if preferred {
        set(id, policy, priority)
    } else {
        // Who may not take this flag back is refused the rest with it.
        set(
            id,
            libc::SCHED_OTHER | policy & libc::SCHED_RESET_ON_FORK,
            0,
        )
    };
}

/// Whether a process has a place before all ordinary ones.
pub fn is_preferred(id: i32) -> bool {
    // Only asks; a process that has ended meanwhile is an error.
    #[allow(unsafe_code)]
    let policy = unsafe { libc::sched_getscheduler(id) };
    policy & !libc::SCHED_RESET_ON_FORK == libc::SCHED_FIFO
}

/// Runs what computes for a while on a thread that others may go before.
pub async fn at_leisure<T: Send + 'static>(
    work: impl FnOnce() -> Outcome<T> + Send + 'static,
) -> Outcome<T> {
    let work = move || {
        step_back();
        work()
    };
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Fault::Failed(format!("{error} while computing"))))
}

fn set(id: i32, policy: libc::c_int, priority: i32) -> std::io::Result<()> {
    let wanted = libc::sched_param {
        sched_priority: priority,
    };
    // Reads the one structure it is given.
    #[allow(unsafe_code)]
    let result = unsafe { libc::sched_setscheduler(id, policy, &raw const wanted) };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}
