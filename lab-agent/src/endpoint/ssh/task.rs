//! What is to be done at a terminal.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{Editor as EditorName, TerminalTask};

use super::limits::Limits;

/// The text's name in the home folder.
pub const TEXT: &str = "text";
/// What both ends speak.
pub const TERM: &str = "xterm-256color";

/// What the user edits with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editor {
    /// Vim, small.
    Vi,
    /// GNU nano.
    Nano,
}

/// What is to be typed in.
pub struct Task {
    /// The one program.
    pub editor: Editor,
    /// The one file.
    pub text: Vec<u8>,
    /// Size of the screen.
    pub columns: u16,
    /// Size of the screen.
    pub rows: u16,
    /// What may be used up.
    pub limits: Limits,
}

impl Task {
    /// What was asked for, within `limits`.
    pub fn new(asked: &TerminalTask, limits: Limits) -> Self {
        Self {
            editor: asked.editor().into(),
            text: asked.text.clone(),
            columns: asked.columns as u16,
            rows: asked.rows as u16,
            limits,
        }
    }
}

impl From<EditorName> for Editor {
    fn from(name: EditorName) -> Self {
        match name {
            EditorName::Vi => Self::Vi,
            EditorName::Nano | EditorName::Unspecified => Self::Nano,
        }
    }
}
