//! Somebody who types, made up: terminals can be measured and tried without a
//! person.
// SPDX-License-Identifier: Apache-2.0
mod command;
pub mod many;
pub mod stroke;
pub mod summary;
mod typing;

pub use command::TypeCommand;
pub use typing::{AT_ONCE_MS, Typed, open};
