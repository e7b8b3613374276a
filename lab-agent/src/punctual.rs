//! A place before all ordinary processes (`SCHED_FIFO`), for what people wait
//! for. Where the machine does not allow it, delays vary more.
// SPDX-License-Identifier: Apache-2.0
use crate::fault::{Fault, Outcome};

/// Of guests in real time, and inside them of whoever sends a stream.
pub const GUEST: i32 = 1;
/// Of the threads that pass keys and screens on: short work, which must not wait
/// until a guest has done its own.
pub const PASSING_ON: i32 = 2;

/// Asks for it, for the calling thread. One system call: works between fork and
/// exec, too.
pub fn prefer(priority: i32) -> std::io::Result<()> {
    set(libc::SCHED_FIFO, priority)
}

/// Runs what computes for a while on a thread that others may go before.
pub async fn at_leisure<T: Send + 'static>(
    work: impl FnOnce() -> Outcome<T> + Send + 'static,
) -> Outcome<T> {
    let work = move || {
        // Who has no such place keeps the one that they have.
        let _ = set(libc::SCHED_OTHER, 0);
        work()
    };
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Fault::Failed(format!("{error} while computing"))))
}

fn set(policy: libc::c_int, priority: i32) -> std::io::Result<()> {
    let wanted = libc::sched_param {
        sched_priority: priority,
    };
    // Reads the one structure it is given.
    #[allow(unsafe_code)]
    let result = unsafe { libc::sched_setscheduler(0, policy, &raw const wanted) };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}
