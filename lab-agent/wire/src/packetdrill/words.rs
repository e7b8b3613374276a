//! Divides a shell's text into commands of words: quotes, `$((…))`, comments,
//! lines that go on, and what joins commands.
// SPDX-License-Identifier: Apache-2.0
use super::claims;

/// What stands before a command and decides whether, or on what, it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// A new line, or `;`.
    Always,
    /// `&&`
    IfDone,
    /// `||`
    IfFailed,
    /// `|`
    Pipe,
}

/// A command and its arguments.
#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    /// How it follows the one before.
    pub joint: Joint,
    /// Without those of a redirection, which changes nothing here.
    pub words: Vec<String>,
}

/// Reads a shell's text.
///
/// # Errors
/// Something in it is more of a shell than this.
pub fn commands(text: &str) -> Result<Vec<Command>, String> {
    let mut reader = Reader {
        rest: text,
        commands: Vec::new(),
        words: Vec::new(),
        word: None,
        joint: Joint::Always,
    };
    while reader.step()? {}
    reader.end_command(Joint::Always);
    reader
        .commands
        .into_iter()
        .map(|command| without_redirections(&command).map(|words| Command { words, ..command }))
        .collect()
}

struct Reader<'a> {
    rest: &'a str,
    commands: Vec<Command>,
    words: Vec<String>,
    word: Option<String>,
    joint: Joint,
}

impl Reader<'_> {
    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn until(&mut self, end: &str) -> Result<&str, String> {
        let (inner, rest) = self
            .rest
            .split_once(end)
            .ok_or_else(|| format!("`{end}` is missing"))?;
        self.rest = rest;
        Ok(inner)
    }

    fn add(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn end_command(&mut self, next: Joint) {
        self.end_word();
        if !self.words.is_empty() {
            self.commands.push(Command {
                joint: self.joint,
                words: std::mem::take(&mut self.words),
            });
        }
        self.joint = next;
    }

    /// Whether there is more.
    fn step(&mut self) -> Result<bool, String> {
        let Some(first) = self.rest.chars().next() else {
            return Ok(false);
        };
        if self.take("\\\n") {
            self.end_word();
        } else if self.arithmetic()? {
        } else if self.take("'") {
            let inner = self.until("'")?.to_owned();
            self.add(&inner);
        } else if self.take("\"") {
            self.add("");
            self.quoted()?;
        } else if self.word.is_none() && first == '#' {
            self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..];
        } else if self.take("&&") {
            self.end_command(Joint::IfDone);
        } else if self.take("||") {
            self.end_command(Joint::IfFailed);
        } else if self.take("|") {
            self.end_command(Joint::Pipe);
        } else if self.take("\n") || self.take(";") {
            self.end_command(Joint::Always);
        } else if first.is_whitespace() {
            self.take(first.encode_utf8(&mut [0; 4]));
            self.end_word();
        } else {
            let letter = first.to_string();
            self.take(&letter);
            self.add(&letter);
        }
        Ok(true)
    }

    /// Whether `$((…))` is next; its value is part of the word then.
    fn arithmetic(&mut self) -> Result<bool, String> {
        if !self.take("$((") {
            return Ok(false);
        }
        let value = claims::number(self.until("))")?)?;
        self.add(&value.to_string());
        Ok(true)
    }

    /// Inside of `"`, up to the other one.
    fn quoted(&mut self) -> Result<(), String> {
        while !self.take("\"") {
            if self.arithmetic()? {
                continue;
            }
            let Some(letter) = self.rest.chars().next() else {
                return Err("`\"` is missing".into());
            };
            self.take(&letter.to_string());
            self.add(&letter.to_string());
        }
        Ok(())
    }
}

/// Where a command's output goes is of no interest, unless it is a file.
fn without_redirections(command: &Command) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut all = command.words.iter();
    while let Some(word) = all.next() {
        let target = match word.trim_start_matches(['1', '2']) {
            ">" => all.next().map_or("", String::as_str),
            target if target.starts_with('>') => &target[1..],
            _ => {
                words.push(word.clone());
                continue;
            }
        };
        if !["/dev/null", "&1", "&2"].contains(&target) {
            return Err(format!("output to `{target}` is not understood"));
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Joint, String)> {
        let all = commands(text).unwrap();
        all.iter()
            .map(|one| (one.joint, one.words.join("|")))
            .collect()
    }

    #[test]
    fn words_are_divided_as_a_shell_does() {
        assert_eq!(
            read("#!/bin/sh\n a 'b c' \\\n d=\"4 $((3*1024))\" > /dev/null 2>&1 # no\ne;f"),
            [
                (Joint::Always, "a|b c|d=4 3072".into()),
                (Joint::Always, "e".into()),
                (Joint::Always, "f".into())
            ]
        );
    }

    #[test]
    fn commands_are_joined() {
        assert_eq!(
            read("a || b && c | d"),
            [
                (Joint::Always, "a".into()),
                (Joint::IfFailed, "b".into()),
                (Joint::IfDone, "c".into()),
                (Joint::Pipe, "d".into())
            ]
        );
    }

    #[test]
    fn files_are_not_written() {
        let fault = commands("echo 1 > /proc/sys/x").unwrap_err();
        assert!(fault.contains("/proc/sys/x"), "{fault}");
    }
}
