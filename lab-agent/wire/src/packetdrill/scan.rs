//! Where the reading of a script's text stands, and the smallest things that can
//! be read from there.
// SPDX-License-Identifier: Apache-2.0
use super::model::Fault;

/// See the module.
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// At the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// This place, for [`Self::since`].
    pub fn place(&self) -> usize {
        self.at
    }

    /// What has been read since.
    pub fn since(&self, place: usize) -> &'a str {
        &self.text[place..self.at]
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The line that is being read, from 1.
    pub fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    /// Something is wrong here.
    pub fn fault<T>(&self, message: impl Into<String>) -> Result<T, Fault> {
        Err(Fault {
            line: self.line(),
            message: message.into(),
        })
    }

    /// Here is not what should be.
    pub fn expected<T>(&self, what: &str) -> Result<T, Fault> {
        let next: String = self
            .rest()
            .chars()
            .take_while(|&letter| letter != '\n')
            .take(24)
            .collect();
        if self.rest().is_empty() {
            return self.fault(format!("expected {what}, the script ends here"));
        }
        self.fault(format!("expected {what} at `{next}`"))
    }

    /// Passes over white space and comments.
    pub fn skip(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            let after = rest.trim_start();
            self.at += rest.len() - after.len();
            if after.starts_with("//") || after.starts_with('#') {
                self.at += after.find('\n').unwrap_or(after.len());
            } else if after.starts_with("/*") {
                let Some(end) = after.find("*/") else {
                    return self.fault("a comment that does not end");
                };
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    /// Whether `text` comes next; then it has been read.
    pub fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Reads `text`, after white space.
    pub fn need(&mut self, text: &str) -> Result<(), Fault> {
        self.skip()?;
        if self.take(text) {
            return Ok(());
        }
        self.expected(&format!("`{text}`"))
    }

    /// Whether `text` comes next, after white space.
    pub fn next_is(&mut self, text: &str) -> Result<bool, Fault> {
        self.skip()?;
        Ok(self.rest().starts_with(text))
    }

    /// As long as `fits` says so.
    pub fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|letter| !fits(letter)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// A name; empty where there is none.
    pub fn word(&mut self) -> &'a str {
        if self
            .rest()
            .starts_with(|first: char| first.is_ascii_digit())
        {
            return "";
        }
        self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    }

    /// Whether the word `text` comes next, after white space; then it has been
    /// read.
    pub fn take_word(&mut self, text: &str) -> Result<bool, Fault> {
        self.skip()?;
        let here = self.at;
        if self.word() == text {
            return Ok(true);
        }
        self.at = here;
        Ok(false)
    }

    /// A whole number without a sign, also hexadecimal.
    pub fn number(&mut self) -> Result<i64, Fault> {
        self.skip()?;
        let read = if self.take("0x") {
            i64::from_str_radix(self.take_while(|digit| digit.is_ascii_hexdigit()), 16)
        } else {
            let digits = self.take_while(|digit| digit.is_ascii_digit());
            if digits.is_empty() {
                return self.expected("a number");
            }
            digits.parse()
        };
        match read {
            Ok(number) => Ok(number),
            Err(_) => self.fault("a number that is too large, or has no digits"),
        }
    }

    /// A number in a range that is the type's own.
    pub fn number_as<T: TryFrom<i64>>(&mut self, what: &str) -> Result<T, Fault> {
        let number = self.number()?;
        match T::try_from(number) {
            Ok(number) => Ok(number),
            Err(_) => self.fault(format!("{number} is no {what}")),
        }
    }

    /// Everything up to `end`, which is read as well.
    pub fn until(&mut self, end: &str, what: &str) -> Result<&'a str, Fault> {
        let rest = self.rest();
        let Some(length) = rest.find(end) else {
            return self.fault(format!("{what} that does not end with `{end}`"));
        };
        self.at += length + end.len();
        Ok(&rest[..length])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_all_three_kinds_are_passed_over() {
        let mut scanner = Scanner::new("// a\n  # b\n/* c\n d */ word");
        scanner.skip().unwrap();
        assert_eq!((scanner.line(), scanner.word()), (4, "word"));
    }

    #[test]
    fn a_fault_names_line_and_place() {
        let mut scanner = Scanner::new("\n\n?what");
        assert_eq!(
            scanner.need("{"),
            Err(Fault {
                line: 3,
                message: "expected `{` at `?what`".into()
            })
        );
    }
}
