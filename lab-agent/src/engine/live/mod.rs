//! A live run: people type, listen, watch and switch while it goes on. What the
//! first message asks for says what runs it, [`terminal`] or [`demo`]; how a call
//! begins is one on the machine and one in the guest.
//!
//! [`terminal`]: super::terminal
//! [`demo`]: super::demo
// SPDX-License-Identifier: Apache-2.0
pub mod inside;
pub mod outside;
