//! The application's thread: a system call may block there while packets come
//! and go here, and one that should not have blocked stops no test.
// SPDX-License-Identifier: Apache-2.0
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::kernel::Reply;
use crate::clock;

/// What the application does.
pub type Job = Box<dyn FnOnce() -> Reply + Send>;

/// How it ended.
pub struct Done {
    /// When, on the monotonic clock.
    pub at_ns: i64,
    /// With what.
    pub reply: Reply,
}

/// See the module.
pub struct Worker {
    jobs: Sender<Job>,
    done: Receiver<Done>,
    thread: i32,
}

/// How long to look away from a thread that is about to block. In virtual time
/// it blocks meanwhile.
const LOOK_AWAY: Duration = Duration::from_micros(1);

impl Worker {
    /// In the network namespace of the calling thread.
    pub fn start() -> Result<Self> {
        let (jobs, to_do) = channel::<Job>();
        let (ended, done) = channel();
        let (name, named) = channel();
        thread::Builder::new()
            .name("application".into())
            .spawn(move || {
                let _ = name.send(rustix::thread::gettid().as_raw_nonzero().get());
                while let Ok(job) = to_do.recv() {
                    let reply = job();
                    let at_ns = clock::now_ns();
                    if ended.send(Done { at_ns, reply }).is_err() {
                        break;
                    }
                }
            })
            .context("starting the application's thread")?;
        let thread = named.recv().context("starting the application's thread")?;
        Ok(Self { jobs, done, thread })
    }

    /// Begins with a job. Returns when it has ended, or waits for something.
    pub fn begin(&self, job: Job) -> Result<Option<Done>> {
        if self.jobs.send(job).is_err() {
            bail!("the application is gone");
        }
        loop {
            if let Some(done) = self.end(LOOK_AWAY)? {
                return Ok(Some(done));
            }
            if self.sleeps() {
                return Ok(None);
            }
        }
    }

    /// The end of the job, if it comes within this time.
    pub fn end(&self, within: Duration) -> Result<Option<Done>> {
        match self.done.recv_timeout(within) {
            Ok(done) => Ok(Some(done)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(gone) => Err(gone).context("the application is gone"),
        }
    }

    fn sleeps(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/self/task/{}/stat", self.thread));
        // The name stands in parentheses and may have any letter in it.
        status.is_ok_and(|status| {
            status
                .rsplit_once(") ")
                .is_some_and(|(_, state)| state.starts_with(['S', 'D']))
        })
    }
}
