//! The commands of `lab-agent`, one file each.
// SPDX-License-Identifier: Apache-2.0
pub mod analyze;
pub mod bench;
pub mod boot;
pub mod describe;
mod lane;
pub mod man;
mod mapped;
pub mod presenter;
pub mod session;
pub mod stream;
pub mod typist;
mod wave;
