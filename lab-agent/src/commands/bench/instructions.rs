//! How many instructions a guest's kernel needs for a stretch of a stream.
//!
//! The kernel is stepped through it, instruction by instruction (ptrace), so the
//! count needs no counter of the processor, which virtual machines seldom have,
//! and does not depend on what else the machine does. The stretch is found by
//! what the kernel does for the guest's process: User Mode Linux takes that
//! process's registers at each of its system calls and gives them back with the
//! result, and both can be seen from outside.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::fault::{Doing, Fault, Outcome};

/// A guest is there at once; this ends a bench whose guest never came.
const START_LIMIT: Duration = Duration::from_mins(1);
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Places in `struct user_regs_struct`, which the kernel keeps of its process.
const AX: u64 = 10;
const ORIGINAL_AX: u64 = 15;

/// What a stretch took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Of the guest's kernel.
    pub instructions: u64,
    /// Bytes that the guest's process received meanwhile.
    pub bytes: u64,
}

/// Counts on the next guest that this process starts, while it receives the
/// bytes of `stretch`. To be called on a thread of its own, as the guest starts.
pub fn count(stretch: &Range<u64>) -> Outcome<Count> {
    let mut tracer = Tracer::attach(next_guest()?)?;
    let start = tracer.follow(Pace::Calls, stretch.start)?;
    let end = tracer.follow(Pace::Instructions, stretch.end)?;
    tracer.detach()?;
    Ok(Count {
        instructions: tracer.instructions,
        bytes: end - start,
    })
}

/// The first child process of this process.
fn next_guest() -> Outcome<libc::pid_t> {
    let start = Instant::now();
    while start.elapsed() < START_LIMIT {
        let threads = std::fs::read_dir("/proc/self/task").doing("looking for the guest")?;
        for thread in threads.flatten() {
            let list = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            if let Some(Ok(guest)) = list.split_whitespace().next().map(str::parse) {
                return Ok(guest);
            }
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Err(Fault::Failed("no guest started to count on".into()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Stop at system calls.
    Calls,
    /// Stop after every instruction.
    Instructions,
}

struct Tracer {
    guest: libc::pid_t,
    instructions: u64,
    /// Bytes that the guest's process has received.
    received: u64,
    /// Its process is inside `recvfrom`.
    receiving: bool,
}

impl Tracer {
    fn attach(guest: libc::pid_t) -> Outcome<Self> {
        let tracer = Self {
            guest,
            instructions: 0,
            received: 0,
            receiving: false,
        };
        tracer.share_processor()?;
        tracer.request(libc::PTRACE_SEIZE, 0, libc::PTRACE_O_TRACESYSGOOD as u64)?;
        tracer.request(libc::PTRACE_INTERRUPT, 0, 0)?;
        tracer.wait()?;
        Ok(tracer)
    }

    /// Two processors would wake each other at every instruction.
    fn share_processor(&self) -> Outcome<()> {
        let guest = rustix::process::Pid::from_raw(self.guest);
        let processors = rustix::thread::sched_getaffinity(guest).doing("placing the counter")?;
        rustix::thread::sched_setaffinity(None, &processors).doing("placing the counter")
    }

    /// Lets the guest go on until its process has received so many bytes.
    fn follow(&mut self, pace: Pace, until: u64) -> Outcome<u64> {
        let resume = match pace {
            Pace::Calls => libc::PTRACE_SYSCALL,
            Pace::Instructions => libc::PTRACE_SINGLESTEP,
        };
        let (mut signal, mut last_place) = (0, 0);
        while self.received < until {
            self.request(resume, 0, signal)?;
            signal = self.wait()?;
            if signal != 0 {
                continue;
            }
            let registers = self.registers()?;
            // A repeated instruction stops at each turn, but it is one.
            if pace == Pace::Instructions && registers.rip != last_place {
                self.instructions += 1;
                last_place = registers.rip;
            }
            let returned = registers.rax as i64 != -i64::from(libc::ENOSYS);
            if registers.orig_rax == libc::SYS_ptrace as u64 && returned {
                self.look(registers.rdi, registers.r10)?;
            }
        }
        Ok(self.received)
    }

    /// The kernel has taken or given back registers, which lie at `place`.
    fn look(&mut self, request: u64, place: u64) -> Outcome<()> {
        let word = |index| self.request(libc::PTRACE_PEEKDATA, place + 8 * index, 0);
        if request == libc::PTRACE_GETREGS as u64 {
            self.receiving = word(ORIGINAL_AX)? == libc::SYS_recvfrom;
        } else if request == libc::PTRACE_SETREGS as u64 && self.receiving {
            let result = word(AX)?;
            self.receiving = false;
            self.received += u64::try_from(result).unwrap_or(0);
        }
        Ok(())
    }

    /// Waits for a stop; gives the signal that the guest is to have.
    fn wait(&self) -> Outcome<u64> {
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        // Leaves an end to the thread that started the guest.
        let options = libc::WSTOPPED | libc::WEXITED | libc::WNOWAIT | libc::__WALL;
        let guest = self.guest as libc::id_t;
        let result = unsafe { libc::waitid(libc::P_PID, guest, &raw mut info, options) };
        if result < 0 {
            Err(std::io::Error::last_os_error()).doing("waiting for the counted guest")?;
        }
        if info.si_code != libc::CLD_TRAPPED {
            return Err(Fault::Failed(
                "the guest ended before the stretch that was to be counted".into(),
            ));
        }
        let status = unsafe { info.si_status() };
        let (signal, event) = (status & 0x7f, status >> 8);
        let ours = event != 0 || signal == libc::SIGTRAP;
        Ok(if ours { 0 } else { signal as u64 })
    }

    fn registers(&self) -> Outcome<libc::user_regs_struct> {
        let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
        self.request(libc::PTRACE_GETREGS, 0, (&raw mut registers) as u64)?;
        Ok(registers)
    }

    fn detach(&self) -> Outcome<()> {
        self.request(libc::PTRACE_DETACH, 0, 0).map(|_| ())
    }

    /// The system call itself; a word that is asked for lies where `data` points.
    fn request(&self, request: impl Into<i64>, address: u64, data: u64) -> Outcome<i64> {
        let request = request.into();
        let mut word: i64 = 0;
        let data = if request == i64::from(libc::PTRACE_PEEKDATA) {
            (&raw mut word) as u64
        } else {
            data
        };
        let result = unsafe { libc::syscall(libc::SYS_ptrace, request, self.guest, address, data) };
        if result < 0 {
            Err(std::io::Error::last_os_error()).doing("stepping through the guest's kernel")?;
        }
        Ok(word)
    }
}
