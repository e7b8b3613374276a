//! The agent from outside: a real kernel, a real lane, real TCP, called by gRPC
//! as the backend calls it.
//!
//! Needs `THINLAB_KERNEL`, `THINLAB_GUEST` and, for terminals, `THINLAB_TERMINAL`,
//! which `make test` sets.
// SPDX-License-Identifier: Apache-2.0
mod agent;
mod archive;
mod bit_errors;
mod built_parts;
mod certificates;
mod crash;
mod datagrams;
mod demo;
mod demo_damage;
mod demo_lanes;
mod flows;
mod frames;
mod lengths;
mod listed_losses;
mod mechanisms;
mod orphans;
mod presenter;
mod queues;
mod real_time;
mod refusal;
mod remote;
mod repeat;
mod sctp;
mod sctp_live;
mod session;
mod settings;
mod ssh_editors;
mod ssh_hostile;
mod ssh_typist;
mod streams;
mod switching;
mod tcp_lite;
mod terminal;
mod usrsctp;
mod wall;
mod wire;
