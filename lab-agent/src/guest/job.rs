//! Jobs: what the host asks of a guest, and the answer.
// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, File};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use lab_proto::HostDescription;
use lab_proto::guest::{Job, Outcome as JobOutcome, job::Task, outcome};
use memmap2::MmapOptions;
use prost::Message;

use crate::capture::to_host;
use crate::clock::Pace;
use crate::engine::session::transfer;
use crate::fault::{Doing, Fault, Outcome};
use crate::lane::{baseline, mechanism};
use crate::spool::{JOB, OUTCOME, STARTED};

/// Carries out the job in the spool and leaves its outcome there.
pub fn run_from_spool(spool: &Path) -> Outcome<()> {
    File::create(spool.join(STARTED)).doing("telling the host that the guest has booted")?;
    let outcome = mapped(&spool.join(JOB))
        .doing("reading the job")
        .and_then(|bytes| Job::decode(bytes).map_err(|e| Fault::Failed(format!("{e} in the job"))))
        .map_or_else(failure, |job| {
            run(&job, spool, Pace::Virtual, &AtomicBool::new(false))
        });
    let unfinished = spool.join("outcome.unfinished");
    let mut file = File::create(&unfinished).doing("writing the outcome")?;
    file.write_all(&outcome.encode_to_vec())
        .and_then(|()| to_host(&file))
        .doing("writing the outcome")?;
    fs::rename(&unfinished, spool.join(OUTCOME)).doing("writing the outcome")
}

/// A file's bytes where the kernel has them, all pages at once. Touched one by one, each would
/// cost 40 µs in User Mode Linux.
fn mapped(path: &Path) -> std::io::Result<Bytes> {
    let file = File::open(path)?;
    let mut options = MmapOptions::new();
    // SAFETY: the host has written the job before it started this guest, and leaves it alone.
    #[allow(unsafe_code)]
    let map = unsafe { options.populate().map_copy_read_only(&file)? };
    Ok(Bytes::from_owner(map))
}

/// Carries out a job; whatever goes wrong is in the outcome.
pub fn run(job: &Job, spool: &Path, pace: Pace, stop: &AtomicBool) -> JobOutcome {
    let result = match &job.task {
        Some(Task::Describe(_)) => Ok(outcome::Result::Description(describe())),
        Some(Task::Transfer(asked)) => {
            catch_unwind(AssertUnwindSafe(|| transfer::run(asked, spool, pace, stop)))
                .unwrap_or_else(|_| Err(Fault::Failed("the guest's agent panicked".into())))
                .map(outcome::Result::Transferred)
        }
        None => Err(Fault::Failed("the job is empty".into())),
    };
    match result {
        Ok(result) => JobOutcome {
            result: Some(result),
        },
        Err(fault) => failure(fault),
    }
}

/// What the guest knows of itself; the host adds its build and clock.
pub fn describe() -> HostDescription {
    HostDescription {
        agent_version: env!("CARGO_PKG_VERSION").into(),
        kernel_release: rustix::system::uname()
            .release()
            .to_string_lossy()
            .into_owned(),
        mechanisms: mechanism::support(),
        baselines: baseline::support(),
        ..HostDescription::default()
    }
}

fn failure(fault: Fault) -> JobOutcome {
    JobOutcome {
        result: Some(outcome::Result::Failure(fault.into())),
    }
}
