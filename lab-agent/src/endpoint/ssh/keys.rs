//! A session's own keys: made for it, and gone with it.
// SPDX-License-Identifier: Apache-2.0
use ssh_key::rand_core::OsRng;
use ssh_key::{Algorithm, LineEnding, PrivateKey};

use crate::fault::{Fault, Outcome};

/// A pair as OpenSSH's files hold it.
pub struct KeyPair {
    /// The private key's file.
    pub private: Vec<u8>,
    /// The public key's line, without a comment.
    pub public: String,
}

impl KeyPair {
    /// Makes an Ed25519 pair.
    pub fn make() -> Outcome<Self> {
        let key =
            PrivateKey::random(&mut OsRng, Algorithm::Ed25519).map_err(|error| failed(&error))?;
        Ok(Self {
            private: key
                .to_openssh(LineEnding::LF)
                .map_err(|error| failed(&error))?
                .as_bytes()
                .to_vec(),
            public: key
                .public_key()
                .to_openssh()
                .map_err(|error| failed(&error))?,
        })
    }
}

fn failed(error: &ssh_key::Error) -> Fault {
    Fault::Failed(format!("{error} while making a session's keys"))
}
