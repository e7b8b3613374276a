//! Streams: what is sent over a lane.
// SPDX-License-Identifier: Apache-2.0
mod connection;
pub mod transfer;
