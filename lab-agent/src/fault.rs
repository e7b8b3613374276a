//! The one error type of the agent: what the caller asked wrongly, what this
//! kernel cannot do, and what failed on the way. It travels from the guest to
//! the host as [`Failure`], and from the host to the backend as a status.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::{Failure, failure::Kind};
use tonic::{Code, Status};

/// Why a request was not carried out. Messages name the remedy.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Fault {
    /// A field of the request; the message begins with the field's name.
    #[error("{0}")]
    Invalid(String),
    /// A mechanism or baseline that this kernel lacks.
    #[error("{0}")]
    Unsupported(String),
    /// Not on this kind of host.
    #[error("{0}")]
    WrongHost(String),
    /// Disk or memory is full.
    #[error("{0}")]
    Exhausted(String),
    /// The guest died under the call; another one takes its place.
    #[error("{0}")]
    Lost(String),
    /// The stream did not get over the lane: its connection broke, never opened, or stood still.
    #[error("{0}")]
    Broken(String),
    /// A system call, a self-check or the guest failed.
    #[error("{0}")]
    Failed(String),
}

impl Fault {
    /// Says of a request inside another where it was.
    #[must_use]
    pub fn below(self, place: &str) -> Self {
        match self {
            Self::Invalid(message) => Self::Invalid(format!("{place}{message}")),
            Self::Unsupported(message) => Self::Unsupported(format!("{place}{message}")),
            other => other,
        }
    }

    /// Wants it to be the caller's, and its message to begin so.
    #[cfg(test)]
    #[track_caller]
    pub fn expect_invalid(&self, beginning: &str) {
        assert!(matches!(self, Self::Invalid(_)), "{self:?}");
        assert!(self.to_string().starts_with(beginning), "{self}");
    }

    /// What a caller is told, and what a guest tells its agent.
    fn told_as(&self) -> (Code, Kind) {
        match self {
            Self::Invalid(_) => (Code::InvalidArgument, Kind::InvalidArgument),
            Self::Unsupported(_) => (Code::Unimplemented, Kind::Unimplemented),
            Self::WrongHost(_) => (Code::FailedPrecondition, Kind::Internal),
            Self::Exhausted(_) => (Code::ResourceExhausted, Kind::ResourceExhausted),
            Self::Lost(_) => (Code::Aborted, Kind::Internal),
            Self::Broken(_) => (Code::DataLoss, Kind::Broken),
            Self::Failed(_) => (Code::Internal, Kind::Internal),
        }
    }
}

/// Shorthand of everything that can end in a [`Fault`].
pub type Outcome<T> = Result<T, Fault>;

/// Adds what was being done to a system error.
pub trait Doing<T> {
    /// `doing` completes the sentence "… while doing".
    fn doing(self, doing: impl std::fmt::Display) -> Outcome<T>;

    /// The same, of a call that moves a stream: [`Fault::Broken`] where the connection is what
    /// failed.
    fn moving(self, doing: impl std::fmt::Display) -> Outcome<T>;
}

/// What a socket says once the kernel has given its connection up, or the other end has.
const GIVEN_UP: [std::io::ErrorKind; 7] = [
    std::io::ErrorKind::TimedOut,
    std::io::ErrorKind::ConnectionReset,
    std::io::ErrorKind::ConnectionAborted,
    std::io::ErrorKind::ConnectionRefused,
    std::io::ErrorKind::BrokenPipe,
    std::io::ErrorKind::HostUnreachable,
    std::io::ErrorKind::NetworkUnreachable,
];

/// What was asked for cannot be meant: why, and what would be right.
pub fn invalid<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Fault::Invalid(message.into()))
}

impl<T, E: Into<std::io::Error>> Doing<T> for Result<T, E> {
    fn doing(self, doing: impl std::fmt::Display) -> Outcome<T> {
        self.map_err(|error| {
            let error: std::io::Error = error.into();
            match error.kind() {
                std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                    Fault::Exhausted(format!(
                        "no space left on the disk while {doing}: free some, or point TMPDIR \
                         at a larger file system"
                    ))
                }
                _ => Fault::Failed(format!("{error} while {doing}")),
            }
        })
    }

    fn moving(self, doing: impl std::fmt::Display) -> Outcome<T> {
        let result = self.map_err(Into::<std::io::Error>::into);
        match result {
            Err(error) if GIVEN_UP.contains(&error.kind()) => {
                Err(Fault::Broken(format!("{error} while {doing}")))
            }
            result => result.doing(doing),
        }
    }
}

impl From<Fault> for Status {
    fn from(fault: Fault) -> Self {
        let (code, _) = fault.told_as();
        Status::new(code, fault.to_string())
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let (_, kind) = fault.told_as();
        Failure {
            kind: kind as i32,
            message: fault.to_string(),
        }
    }
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        match failure.kind() {
            Kind::InvalidArgument => Fault::Invalid(failure.message),
            Kind::Unimplemented => Fault::Unsupported(failure.message),
            Kind::ResourceExhausted => Fault::Exhausted(failure.message),
            Kind::Broken => Fault::Broken(failure.message),
            Kind::Internal | Kind::Unspecified => Fault::Failed(failure.message),
        }
    }
}
