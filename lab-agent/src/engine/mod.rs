//! The engine: a run is lanes × flows, each flow a source at one endpoint and
//! what arrives at the other, paced by the machine's clock or a virtual one.
//!
//! A session, a terminal and a demo are configurations of it: flows over lanes,
//! somebody's keys and screens over one lane, one source over up to four lanes
//! that change while it runs. The last two are live: people are in them.
// SPDX-License-Identifier: Apache-2.0
mod arrivals;
mod balance;
mod captures;
mod damage;
pub mod demo;
mod departures;
pub mod files;
pub mod live;
pub mod outlet;
mod rest;
pub mod session;
pub mod terminal;
mod ticker;
