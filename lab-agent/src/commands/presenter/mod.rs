//! Somebody who shows a demo, made up: takes can be measured and tried without
//! a person.
// SPDX-License-Identifier: Apache-2.0
mod command;
mod files;
pub mod lockstep;
mod showing;

pub use command::DemoCommand;
pub use showing::{Script, Shown, Switch, run};
