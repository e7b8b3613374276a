//! Endpoints: what sends and receives over a lane. One end never relies on the
//! other being in the same process.
// SPDX-License-Identifier: Apache-2.0
pub mod connection;
mod lite;
mod sctp;
pub mod ssh;
pub mod tcp_info;
mod told;
pub mod udp;
mod usrsctp;
pub mod watched;
mod window;
