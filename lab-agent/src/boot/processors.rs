//! The processors that guests are pinned to, one guest each: an unpinned guest
//! runs up to five times slower, and two on one processor disturb each other.
// SPDX-License-Identifier: Apache-2.0
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::fault::{Doing, Fault, Outcome};

/// The pool.
#[derive(Clone)]
pub struct Processors {
    free: Arc<Mutex<Vec<usize>>>,
    permits: Arc<Semaphore>,
}

/// One processor, given back when dropped.
pub struct Processor {
    number: usize,
    free: Arc<Mutex<Vec<usize>>>,
    _permit: OwnedSemaphorePermit,
}

impl Processors {
    /// The processors in `wanted`, or all that this process may use.
    pub fn new(wanted: &[usize]) -> Outcome<Self> {
        let allowed =
            rustix::thread::sched_getaffinity(None).doing("asking which processors may be used")?;
        let allowed: Vec<usize> = (0..rustix::thread::CpuSet::MAX_CPU)
            .filter(|&cpu| allowed.is_set(cpu))
            .collect();
        if let Some(cpu) = wanted.iter().find(|cpu| !allowed.contains(cpu)) {
            return Err(Fault::Invalid(format!(
                "--cpus: processor {cpu} may not be used here; these may: {allowed:?}"
            )));
        }
        let mut free = if wanted.is_empty() {
            allowed
        } else {
            wanted.to_vec()
        };
        free.dedup();
        Ok(Self {
            permits: Arc::new(Semaphore::new(free.len())),
            free: Arc::new(Mutex::new(free)),
        })
    }

    /// All of them, for guests that share them.
    pub fn numbers(&self) -> Vec<usize> {
        let mut numbers = lock(&self.free).clone();
        numbers.reverse();
        numbers
    }

    /// Waits for a free one.
    pub async fn take(&self) -> Processor {
        let permits = Arc::clone(&self.permits);
        let permit = permits
            .acquire_owned()
            .await
            .expect("the pool is never closed");
        let number = lock(&self.free).pop().expect("a permit stands for one");
        Processor {
            number,
            free: Arc::clone(&self.free),
            _permit: permit,
        }
    }
}

impl Processor {
    /// Its number, as the kernel counts.
    pub fn number(&self) -> usize {
        self.number
    }
}

impl Drop for Processor {
    // Runs before the permit is given back: fields drop after this.
    fn drop(&mut self) {
        lock(&self.free).push(self.number);
    }
}

fn lock(free: &Mutex<Vec<usize>>) -> std::sync::MutexGuard<'_, Vec<usize>> {
    free.lock().expect("nothing panics while holding the pool")
}
